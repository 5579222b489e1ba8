-- The hits of a search in a floating window, from which their pages are opened.
local M = {}

local namespace = vim.api.nvim_create_namespace('datasheet_search')
local EXCERPT = 3

--- The request that is under way, so that a newer one takes its place.
---@type { client: vim.lsp.Client, id: integer }?
local running

local function present(value)
  return value ~= nil and value ~= vim.NIL
end

--- The document, revision and page of a hit, as people cite them.
---@param hit table
---@return string
function M.place_of(hit)
  local parts = { hit.title ~= '' and hit.title or vim.fs.basename(hit.file) }
  if hit.revision ~= '' then
    parts[1] = parts[1] .. ' ' .. hit.revision
  end
  if hit.page > 0 then
    local page = 'p. ' .. hit.page
    local label = hit.labels[1]
    if label and label ~= tostring(hit.page) then
      page = page .. ' (printed ' .. label .. ')'
    end
    table.insert(parts, page)
  end
  return table.concat(parts, ', ')
end

--- The lines that show `results`, and for each line the number of its hit, 0 for none.
---@param results table
---@return string[] lines, integer[] owners
function M.lines(results)
  local lines, owners = {}, {}
  local function add(text, owner)
    for _, line in ipairs(vim.split(text, '\n')) do
      table.insert(lines, line)
      table.insert(owners, owner or 0)
    end
  end
  local scope = results.scope
  if present(scope.device) then
    local why = scope.why ~= '' and (' (' .. scope.why .. ')') or ''
    add(('Searched for %s%s: %d of %d documents. a: search all'):format(scope.device, why, scope.documents, scope.of))
  else
    add(('Searched in all %d documents.'):format(scope.of))
  end
  for _, note in ipairs(results.notes) do
    add(note:sub(1, 1):upper() .. note:sub(2) .. '.')
  end
  if #results.hits == 0 then
    add('')
    add('Nothing was found.')
  end
  for number, hit in ipairs(results.hits) do
    add('')
    add(('%d. %s'):format(number, table.concat(hit.heading_path, ' > ')), number)
    add('   ' .. M.place_of(hit), number)
    local shown = 0
    for line in vim.gsplit(hit.text, '\n', { trimempty = true }) do
      if vim.trim(line) ~= '' and not line:match('^[| :-]+$') then
        add('   ' .. vim.trim(line), number)
        shown = shown + 1
        if shown == EXCERPT then
          break
        end
      end
    end
  end
  return lines, owners
end

--- The command of the client with other arguments than `serve`.
local function command(client, ...)
  local cmd = client.config.cmd
  if type(cmd) ~= 'table' or cmd[#cmd] ~= 'serve' then
    return nil
  end
  return vim.list_extend(vim.list_slice(cmd, 1, #cmd - 1), { ... })
end

--- Opens a file of text at the line that a hit is about.
local function edit(path, hit)
  vim.cmd.edit(vim.fn.fnameescape(path))
  if present(hit.line) then
    vim.api.nvim_win_set_cursor(0, { math.min(hit.line, vim.api.nvim_buf_line_count(0)), 0 })
  else
    local heading = hit.heading_path[#hit.heading_path]
    if heading then
      vim.fn.cursor(1, 1)
      vim.fn.search('\\V' .. vim.fn.escape(heading, '\\/'), 'cW')
    end
  end
end

--- Opens the place of a hit: a text in the editor, a page of a PDF as a picture with the place
--- marked, or the file itself where no picture can be made.
---@param client vim.lsp.Client
---@param hit table
function M.open(client, hit)
  if not present(hit.uri) then
    return
  end
  local path = vim.uri_to_fname(hit.uri)
  if not path:lower():match('%.pdf$') then
    edit(path, hit)
    return
  end
  local picture = vim.fn.tempname() .. '.png'
  local cmd = hit.page > 0 and command(client, 'page', path, tostring(hit.page), '--png', picture)
  if cmd and present(hit.id) then
    vim.list_extend(cmd, { '--chunk', tostring(hit.id) })
  end
  if not cmd then
    vim.ui.open(path)
    return
  end
  vim.system(cmd, { text = true, cwd = client.root_dir }, function(done)
    vim.schedule(function()
      vim.ui.open(done.code == 0 and picture or path)
    end)
  end)
end

--- Shows `results` in a floating window. <CR> opens the hit under the cursor, `a` searches all
--- documents, `q` closes.
---@param client vim.lsp.Client
---@param results table
---@param again fun()
function M.show(client, results, again)
  local lines, owners = M.lines(results)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'datasheetsearch'
  local width = math.max(20, math.min(100, vim.o.columns - 6))
  local height = math.max(3, math.min(#lines, vim.o.lines - 6))
  local origin = vim.api.nvim_get_current_win()
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    border = 'rounded',
    title = ' ' .. results.query:sub(1, width - 4) .. ' ',
    style = 'minimal',
  })
  vim.wo[window].wrap = false
  vim.wo[window].cursorline = true
  local first
  for line, owner in ipairs(owners) do
    if owner > 0 and owner ~= owners[line - 1] then
      first = first or line
      vim.api.nvim_buf_set_extmark(buffer, namespace, line - 1, 0, { end_col = #lines[line], hl_group = 'Title' })
    end
  end
  vim.api.nvim_win_set_cursor(window, { first or 1, 0 })
  local function close()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end
  local function map(key, action)
    vim.keymap.set('n', key, action, { buffer = buffer, nowait = true })
  end
  map('q', close)
  map('<Esc>', close)
  map('<CR>', function()
    local owner = owners[vim.api.nvim_win_get_cursor(window)[1]]
    if owner == 0 then
      return
    end
    close()
    if vim.api.nvim_win_is_valid(origin) then
      vim.api.nvim_set_current_win(origin)
    end
    M.open(client, results.hits[owner])
  end)
  map('a', function()
    close()
    again()
  end)
end

--- Searches for `query`; where it is empty, for the register under the cursor. With `all` in the
--- documents of every device.
---@param client vim.lsp.Client
---@param query string
---@param all boolean?
function M.search(client, query, all)
  if running then
    running.client:cancel_request(running.id)
    running = nil
  end
  local params = { query = query, device = all and 'any' or nil }
  if vim.bo.buftype == '' and vim.api.nvim_buf_get_name(0) ~= '' then
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    params.textDocument, params.position = place.textDocument, place.position
  end
  local number
  local sent, id = client:request('datasheet/search', params, function(err, results)
    if running and running.id == number then
      running = nil
    end
    if err then
      if err.code ~= -32800 then
        vim.notify('datasheet-lsp: ' .. err.message, vim.log.levels.WARN)
      end
      return
    end
    M.show(client, results, function()
      M.search(client, results.query, true)
    end)
  end)
  if sent and id then
    number = id
    running = { client = client, id = id }
  end
end

return M
