-- Configuration of datasheet-lsp for vim.lsp.config (Neovim 0.11 or newer).
-- Switch it on with: vim.lsp.enable('datasheet')

-- Files that make a folder the root of a firmware project. The folder with our own settings
-- counts before what a tool left behind, that before the repository.
local settings = 'datasheet.toml'
local markers = { 'platformio.ini', 'compile_commands.json', '.cproject' }
local endings = { '%.ioc$', '%.uvprojx$' }

local function is_project(name)
  if vim.list_contains(markers, name) then
    return true
  end
  for _, ending in ipairs(endings) do
    if name:find(ending) then
      return true
    end
  end
  return false
end

---@type vim.lsp.Config
return {
  cmd = { 'datasheet-lsp', 'serve' },
  filetypes = { 'c', 'cpp' },
  root_dir = function(bufnr, on_dir)
    -- Only files: no server for the buffers of other plugins, such as the two sides of a diff.
    if vim.bo[bufnr].buftype ~= '' then
      return
    end
    on_dir(vim.fs.root(bufnr, settings) or vim.fs.root(bufnr, is_project) or vim.fs.root(bufnr, '.git'))
  end,
  -- The server reads what stands under `datasheet` here as if it were in datasheet.toml.
  settings = { datasheet = vim.empty_dict() },
}
