local M = {}

--- The running clients of datasheet-lsp.
---@return vim.lsp.Client[]
function M.clients()
  return vim.lsp.get_clients({ name = 'datasheet' })
end

--- The client for the current buffer, else any.
---@return vim.lsp.Client?
local function client()
  return vim.lsp.get_clients({ name = 'datasheet', bufnr = 0 })[1] or M.clients()[1]
end

--- The same; says so where none runs.
---@return vim.lsp.Client?
local function running()
  local one = client()
  if not one then
    vim.notify('datasheet-lsp is not running: open a C file, or see :checkhealth datasheet', vim.log.levels.WARN)
  end
  return one
end

--- Runs `method` and gives its result to `on_result`; says so where no server runs or it fails.
---@param method string
---@param on_result fun(status: table)
---@param params table?
local function ask(method, on_result, params)
  local one = running()
  if not one then
    return
  end
  one:request(method, params or vim.empty_dict(), function(err, result)
    if err then
      vim.notify('datasheet-lsp: ' .. err.message, vim.log.levels.ERROR)
    else
      on_result(result)
    end
  end)
end

local function present(value)
  return value ~= nil and value ~= vim.NIL
end

--- The lines that tell what `status`, the answer to datasheet/status, says.
---@param status table
---@return string[]
function M.status_lines(status)
  local lines = { 'datasheet-lsp ' .. status.version }
  for _, model in ipairs(present(status.models) and status.models or {}) do
    local state = model.problem ~= '' and model.problem
      or model.running and ('running, %d MB'):format(model.memory / 1e6)
      or 'idle'
    table.insert(lines, ('%s: %s, %s'):format(model.role, model.name, state))
  end
  if #status.folders == 0 then
    table.insert(lines, 'no project folder')
  end
  for _, folder in ipairs(status.folders) do
    table.insert(lines, '')
    table.insert(lines, (present(folder.root) and folder.root or '(no folder)') .. (folder.loading and '  (loading)' or ''))
    if #folder.contexts == 0 and not folder.loading then
      table.insert(lines, '  no device: no SVD file was found for this project')
    end
    for _, context in ipairs(folder.contexts) do
      table.insert(
        lines,
        context.loaded
            and ('  %s  %d peripherals, %d registers'):format(context.device, context.peripherals, context.registers)
          or ('  %s  not loaded'):format(present(context.device) and context.device or context.name)
      )
      if present(context.svd) then
        table.insert(lines, '    svd      ' .. context.svd)
      end
      for _, reason in ipairs(context.reasons) do
        table.insert(lines, '    because  ' .. (reason:gsub('^because ', '')))
      end
    end
    local manuals = folder.manuals
    if present(manuals) and #manuals.documents > 0 then
      table.insert(lines, '  manuals    ' .. manuals.summary)
      if manuals.indexing and manuals.message ~= '' then
        table.insert(lines, ('    reading  %s  %d%%'):format(manuals.message, manuals.percentage))
      end
      for _, document in ipairs(manuals.documents) do
        local said = document.problem ~= '' and document.problem or document.undecided
        if said ~= '' then
          table.insert(lines, ('    %s: %s'):format(document.file, said))
        end
        for _, trouble in ipairs(document.troubles) do
          table.insert(lines, ('    %s: %s'):format(document.file, trouble.message))
        end
      end
    end
    for _, problem in ipairs(folder.problems) do
      local place = present(problem.path) and problem.path or ''
      if present(problem.line) then
        place = place .. ':' .. problem.line
      end
      table.insert(lines, '  problem  ' .. (place ~= '' and place .. ': ' or '') .. problem.message)
    end
  end
  return lines
end

--- Shows which device is in use and why, in a floating window.
function M.show_status()
  ask('datasheet/status', function(status)
    vim.lsp.util.open_floating_preview(M.status_lines(status), 'text', {
      border = 'rounded',
      title = 'datasheet-lsp',
      focus_id = 'datasheet-status',
      wrap = false,
    })
  end)
end

--- Has SVD files and settings read anew and says what is in use then.
function M.reload()
  ask('datasheet/reload', function(status)
    local devices = {}
    for _, folder in ipairs(status.folders) do
      for _, context in ipairs(folder.contexts) do
        if context.loaded then
          table.insert(devices, context.device)
        end
      end
    end
    vim.notify('datasheet-lsp: ' .. (#devices > 0 and table.concat(devices, ', ') or 'no device'))
  end)
end

--- Has new and changed manuals read into the index; with `again` all of them anew.
---@param again boolean?
function M.reindex(again)
  ask('datasheet/reindex', function(status)
    for _, folder in ipairs(status.folders) do
      vim.notify('datasheet-lsp: ' .. folder.root .. ': ' .. folder.manuals.summary)
    end
  end, again and { again = true } or nil)
end

--- Shows what the manuals say about `query`, about the register under the cursor where it is "".
---@param query string
---@param all boolean? in the documents of every device
function M.search(query, all)
  local one = running()
  if one then
    require('datasheet.search').search(one, query, all)
  end
end

--- Answers `question` in a window, as it is written; asks for it where it is "".
---@param question string
---@param without_model boolean?
function M.ask(question, without_model)
  local one = running()
  if not one then
    return
  end
  local function ask(text)
    if text and vim.trim(text) ~= '' then
      require('datasheet.ask').ask(one, text, { llm = not without_model })
    end
  end
  if vim.trim(question) ~= '' then
    ask(question)
  else
    vim.ui.input({ prompt = 'Ask the manuals: ' }, ask)
  end
end

--- Explains what the lines `first` to `last` of the current buffer set up, in a window.
---@param first integer
---@param last integer
function M.explain(first, last)
  local one = running()
  if one then
    require('datasheet.ask').explain(one, first, last)
  end
end

--- Ends the answers that are being written.
function M.stop()
  require('datasheet.ask').stop()
end

--- Tells the servers that `file` was written, where Neovim does not watch files for them.
---@param file string
function M.written(file)
  local uri = vim.uri_from_fname(vim.fs.normalize(vim.fs.abspath(file)))
  for _, one in ipairs(M.clients()) do
    one:notify('workspace/didChangeWatchedFiles', { changes = { { uri = uri, type = 2 } } })
  end
end

return M
