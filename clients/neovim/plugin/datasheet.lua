if vim.g.loaded_datasheet or vim.fn.has('nvim-0.11') == 0 then
  return
end
vim.g.loaded_datasheet = true

vim.api.nvim_create_user_command('DatasheetStatus', function()
  require('datasheet').show_status()
end, { desc = 'Which device, SVD and manuals are in use, and why' })

vim.api.nvim_create_user_command('DatasheetReload', function()
  require('datasheet').reload()
end, { desc = 'Read SVD files and settings anew' })

vim.api.nvim_create_user_command('DatasheetReindex', function(command)
  require('datasheet').reindex(command.bang)
end, { bang = true, desc = 'Read new and changed manuals into the index, with ! all of them anew' })

vim.api.nvim_create_user_command('DatasheetSearch', function(command)
  require('datasheet').search(command.args, command.bang)
end, {
  bang = true,
  nargs = '*',
  desc = 'What the manuals say about a question, or the register under the cursor; with ! of every device',
})

vim.api.nvim_create_user_command('DatasheetAsk', function(command)
  require('datasheet').ask(command.args, command.bang)
end, {
  bang = true,
  nargs = '*',
  desc = 'An answer from the chip and its manuals, written as it comes; with ! without a language model',
})

vim.api.nvim_create_user_command('DatasheetExplain', function(command)
  require('datasheet').explain(command.line1, command.line2)
end, { range = true, desc = 'What the lines of a range, or the line, set up and what they lack' })

vim.api.nvim_create_user_command('DatasheetStop', function()
  require('datasheet').stop()
end, { desc = 'End the answer that is being written' })

-- Neovim does not watch files for the server on every system, so say what was written here.
vim.api.nvim_create_autocmd('BufWritePost', {
  group = vim.api.nvim_create_augroup('datasheet', { clear = true }),
  pattern = {
    'datasheet.toml',
    '*.svd',
    '*.ioc',
    'platformio.ini',
    'compile_commands.json',
    'launch.json',
    '.cproject',
    '*.uvprojx',
  },
  callback = function(event)
    require('datasheet').written(event.file)
  end,
})
