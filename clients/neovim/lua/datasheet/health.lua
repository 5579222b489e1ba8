local M = {}

local health = vim.health

local function check_command()
  local config = vim.lsp.config.datasheet
  local cmd = config and config.cmd
  if type(cmd) ~= 'table' then
    health.info('the server is started by a function')
    return
  end
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    health.error(cmd[1] .. ' was not found', {
      'Install it: pip install datasheet-lsp',
      "Or say where it is: vim.lsp.config('datasheet', { cmd = { '/path/to/datasheet-lsp', 'serve' } })",
    })
    return
  end
  local done = vim.system({ path, '--version' }, { text = true }):wait(10000)
  if done.code == 0 then
    health.ok(path .. ': ' .. vim.trim(done.stdout))
  else
    health.error(path .. ' does not run', vim.split(vim.trim(done.stderr or ''), '\n'))
  end
end

local function check_client(client)
  local answer = client:request_sync('datasheet/status', vim.empty_dict(), 5000)
  if not answer or not answer.result then
    health.error('the server does not answer', { 'See ' .. vim.lsp.log.get_filename() })
    return
  end
  local status = answer.result
  for _, folder in ipairs(status.folders) do
    local loaded = 0
    for _, context in ipairs(folder.contexts) do
      if context.loaded then
        loaded = loaded + 1
        health.ok(('%s: %s, %d registers'):format(folder.root, context.device, context.registers))
      end
    end
    if loaded == 0 then
      health.warn(('%s: no device'):format(folder.root), {
        'Put the SVD file of the chip into the project, or name it in datasheet.toml',
      })
    end
    for _, problem in ipairs(folder.problems) do
      health.warn(problem.message)
    end
  end
end

function M.check()
  health.start('datasheet-lsp')
  if vim.fn.has('nvim-0.11') == 0 then
    health.error('Neovim 0.11 or newer is needed')
    return
  end
  if not vim.lsp.config.datasheet then
    health.error('lsp/datasheet.lua is not on the runtimepath')
    return
  end
  check_command()
  if vim.lsp.is_enabled and vim.lsp.is_enabled('datasheet') then
    health.ok('enabled')
  else
    health.warn('not enabled', { "Add to init.lua: vim.lsp.enable('datasheet')" })
  end
  local clients = require('datasheet').clients()
  if #clients == 0 then
    health.info('no server is running: open a C file of a project')
  end
  for _, client in ipairs(clients) do
    check_client(client)
  end
end

return M
