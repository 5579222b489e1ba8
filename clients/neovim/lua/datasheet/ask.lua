-- An answer in a floating window, written as it comes, with citations that lead to their pages.
local M = {}

---@class datasheet.Answer
---@field id string
---@field client vim.lsp.Client
---@field request integer?
---@field buffer integer
---@field window integer
---@field origin integer
---@field text string
---@field stage string
---@field citations table[]
---@field chunks table<integer, integer> number of a passage to its chunk in the index
---@field conversation string?

---@type table<string, datasheet.Answer>
local answers = {}
local count = 0

local function present(value)
  return value ~= nil and value ~= vim.NIL
end

local function valid(answer)
  return vim.api.nvim_buf_is_valid(answer.buffer)
end

--- Shows what there is of an answer: its text, and below it what goes on.
---@param answer datasheet.Answer
local function draw(answer)
  if not valid(answer) then
    return
  end
  local lines = answer.text ~= '' and vim.split(answer.text, '\n') or {}
  if answer.stage ~= '' then
    if #lines > 0 then
      table.insert(lines, '')
    end
    table.insert(lines, answer.stage .. ' ...  (s: stop)')
  end
  vim.bo[answer.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(answer.buffer, 0, -1, false, lines)
  vim.bo[answer.buffer].modifiable = false
end

--- What the server tells of an answer while it is worked on.
vim.lsp.handlers['datasheet/answerChunk'] = function(_, chunk)
  local answer = answers[chunk.id]
  if not answer then
    return
  end
  if chunk.kind == 'stage' then
    answer.stage = chunk.text
  elseif chunk.kind == 'replace' then
    answer.text = chunk.text
  else
    answer.text = answer.text .. chunk.text
  end
  draw(answer)
end

--- Ends an answer that is being worked on; what there is of it stays.
---@param answer datasheet.Answer
local function stop(answer)
  if answer.request then
    answer.client:cancel_request(answer.request)
    answer.request = nil
    answer.stage = ''
    answer.text = answer.text .. '\n\n(stopped)'
    draw(answer)
  end
end

--- Ends every answer that is being worked on.
function M.stop()
  for _, answer in pairs(answers) do
    stop(answer)
  end
end

--- The number in square brackets at the cursor, else the first in the line.
local function cited(answer)
  local row, column = unpack(vim.api.nvim_win_get_cursor(answer.window))
  local line = vim.api.nvim_buf_get_lines(answer.buffer, row - 1, row, false)[1] or ''
  local first
  for start, number, finish in line:gmatch('()%[(%d+)%]()') do
    first = first or tonumber(number)
    if start - 1 <= column and column < finish - 1 then
      return tonumber(number)
    end
  end
  return first
end

local function close(answer)
  answers[answer.id] = nil
  if answer.request then
    answer.client:cancel_request(answer.request)
    answer.request = nil
  end
  if vim.api.nvim_win_is_valid(answer.window) then
    vim.api.nvim_win_close(answer.window, true)
  end
end

local function open_citation(answer)
  local number = cited(answer)
  for _, citation in ipairs(answer.citations) do
    if citation.number == number then
      local hit = {
        uri = citation.uri,
        page = citation.page,
        line = citation.line,
        heading_path = citation.heading_path or {},
        id = answer.chunks[number],
      }
      if vim.api.nvim_win_is_valid(answer.origin) then
        vim.api.nvim_set_current_win(answer.origin)
      end
      require('datasheet.search').open(answer.client, hit)
      return
    end
  end
end

--- The window of a new answer.
---@return integer buffer, integer window
local function open_window(question)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'markdown'
  local width = math.max(20, math.min(100, vim.o.columns - 6))
  local height = math.max(5, math.floor(vim.o.lines * 0.7))
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    border = 'rounded',
    title = ' ' .. question:gsub('%s+', ' '):sub(1, width - 4) .. ' ',
    style = 'minimal',
  })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  return buffer, window
end

--- Takes the whole answer.
---@param answer datasheet.Answer
local function finish(answer, result)
  answer.text = result.text
  answer.stage = ''
  answer.citations = present(result.citations) and result.citations or {}
  for _, piece in ipairs(present(result.chunks) and result.chunks or {}) do
    answer.chunks[piece.number] = piece.chunks[1]
  end
  answer.conversation = present(result.conversation) and result.conversation or nil
  for _, note in ipairs(present(result.notes) and result.notes or {}) do
    answer.text = answer.text .. '\n\n' .. note:sub(1, 1):upper() .. note:sub(2)
  end
  draw(answer)
end

--- Sends a request and shows its answer as it comes, under `title`. `q` closes and stops, `s` stops,
--- `<CR>` opens the citation under the cursor, `f` calls `further` with the answer.
---@param client vim.lsp.Client
---@param method string
---@param title string
---@param params table
---@param further fun(answer: datasheet.Answer)?
---@return string id
local function follow(client, method, title, params, further)
  count = count + 1
  local id = ('nvim-%d-%d'):format(vim.fn.getpid(), count)
  params.id = id
  local origin = vim.api.nvim_get_current_win()
  local buffer, window = open_window(title)
  ---@type datasheet.Answer
  local answer = {
    id = id,
    client = client,
    buffer = buffer,
    window = window,
    origin = origin,
    text = '',
    stage = 'asking',
    citations = {},
    chunks = {},
  }
  answers[id] = answer
  draw(answer)
  local function map(key, action)
    vim.keymap.set('n', key, action, { buffer = buffer, nowait = true })
  end
  map('q', function()
    close(answer)
  end)
  map('s', function()
    stop(answer)
  end)
  map('<CR>', function()
    open_citation(answer)
  end)
  map('f', function()
    if further and not answer.request then -- a question leans on the whole of the answer before
      further(answer)
    end
  end)
  local _, request = client:request(method, params, function(err, result)
    if answer.request == nil and answer.stage == '' then
      return -- stopped
    end
    answer.request = nil
    answer.stage = ''
    if err then
      answer.text = answer.text .. (answer.text ~= '' and '\n\n' or '') .. err.message
      draw(answer)
    else
      finish(answer, result)
    end
  end)
  answer.request = request
  return id
end

--- Asks `question` and shows the answer as it comes; `f` in its window asks further.
---@param client vim.lsp.Client
---@param question string
---@param options { llm: boolean?, conversation: string?, place: table? }?
---@return string id
function M.ask(client, question, options)
  options = options or {}
  local params = {
    question = question,
    llm = options.llm,
    conversation = options.conversation,
    textDocument = options.place,
  }
  if not params.textDocument and vim.bo.buftype == '' and vim.api.nvim_buf_get_name(0) ~= '' then
    params.textDocument = vim.lsp.util.make_text_document_params(0)
  end
  return follow(client, 'datasheet/ask', question, params, function(answer)
    vim.ui.input({ prompt = 'Ask further: ' }, function(more)
      if more and more ~= '' then
        local conversation = answer.conversation
        close(answer)
        M.ask(client, more, { llm = options.llm, conversation = conversation, place = params.textDocument })
      end
    end)
  end)
end

--- Explains the lines `first` to `last`, from 1, of the current buffer: what they set up.
---@param client vim.lsp.Client
---@param first integer
---@param last integer
---@return string id
function M.explain(client, first, last)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(0),
    range = { start = { line = first - 1, character = 0 }, ['end'] = { line = last, character = 0 } },
  }
  return follow(client, 'datasheet/explain', ('Lines %d to %d'):format(first, last), params)
end

return M
