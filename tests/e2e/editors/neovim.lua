-- Open, save, look, fix, in a real Neovim; what the user would see is written as JSON.
-- nvim --headless -u NONE -i NONE -c 'luafile neovim.lua', with the task in the environment.

local task = vim.fn.json_decode(os.getenv('JIT_LSP_TASK'))
local seen = {}

local function wait_for(what, condition)
  if not vim.wait(task.patience * 1000, condition, 20) then
    error('no ' .. what)
  end
end

local function run()
  local id = vim.lsp.start_client({
    name = 'jit-lsp',
    cmd = task.command,
    root_dir = task.folder,
    init_options = { ['jit-lsp'] = { interpreter = task.interpreter } },
  })
  vim.cmd('edit ' .. task.file)
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, id)
  local client = vim.lsp.get_client_by_id(id)
  wait_for('initialization', function() return client.initialized end)
  seen.encoding = client.server_capabilities.positionEncoding

  local function diagnostics()
    return vim.diagnostic.get(buffer)
  end

  vim.cmd('write!')
  wait_for('diagnostics', function() return #diagnostics() > 0 end)
  seen.diagnostics = {}
  for _, d in ipairs(diagnostics()) do
    table.insert(seen.diagnostics, {
      line = d.lnum,
      text = vim.api.nvim_buf_get_lines(buffer, d.lnum, d.lnum + 1, true)[1]:sub(d.col + 1, d.end_col),
      severity = vim.diagnostic.severity[d.severity],
      source = d.source,
      code = d.user_data.lsp.code,
      message = d.message,
      related = d.user_data.lsp.relatedInformation,
    })
  end

  local function request(method, params)
    local answer = vim.lsp.buf_request_sync(buffer, method, params, task.patience * 1000)
    return answer[id].result
  end

  vim.api.nvim_win_set_cursor(0, { task.hover_line + 1, 0 })
  local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
  seen.hover = request('textDocument/hover', position).contents.value

  seen.hints = {}
  local whole = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = 0, character = 0 }, ['end'] = { line = 99, character = 0 } },
  }
  for _, hint in ipairs(request('textDocument/inlayHint', whole)) do
    table.insert(seen.hints, hint.label)
  end
  seen.lenses = {}
  for _, lens in ipairs(request('textDocument/codeLens', whole)) do
    table.insert(seen.lenses, lens.command.title)
  end

  local first = diagnostics()[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer) }
  local actions = request('textDocument/codeAction', params)
  seen.title = actions[1].title
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  vim.cmd('write!')
  wait_for('end of the diagnostics', function() return #diagnostics() == 0 end)

  vim.lsp.stop_client(id)
  wait_for('end of the server', function() return vim.lsp.get_client_by_id(id) == nil end)
end

local fine, problem = pcall(run)
seen.problem = not fine and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, task.output)
vim.cmd('qa!')
