-- Runs a scenario beside Neovim's own main loop, so that keys, timers and messages take their real way, and writes
-- what it saw as JSON. A scenario is a coroutine: wait() gives way until something is true.
local M = {}

local patience = 30000
local seen = {}

local function finish(err)
  seen.error = err
  seen.notices = _G.notices
  seen.messages = vim.api.nvim_exec("messages", true)
  seen.errmsg = vim.v.errmsg
  local file = assert(io.open(vim.env.PLAINVIEW_RESULT, "w"))
  file:write(vim.json.encode(seen))
  file:close()
  vim.cmd("qall!")
end

function M.run(scenario)
  local routine = coroutine.create(scenario)
  local timer = vim.loop.new_timer()
  -- A short beat: what is timed here is the server, not this script.
  timer:start(0, 2, function()
    vim.schedule(function()
      if coroutine.status(routine) ~= "suspended" then
        return
      end
      local ok, err = coroutine.resume(routine, seen)
      if not ok or coroutine.status(routine) == "dead" then
        timer:stop()
        finish(not ok and debug.traceback(routine, err) or nil)
      end
    end)
  end)
end

--- Waits until `condition` gives something, which is returned.
function M.wait(what, condition)
  local stop = vim.loop.now() + patience
  while true do
    local value = condition()
    if value then
      return value
    end
    if vim.loop.now() > stop then
      error("waited in vain: " .. what)
    end
    coroutine.yield()
  end
end

function M.pause(milliseconds)
  local stop = vim.loop.now() + milliseconds
  while vim.loop.now() < stop do
    coroutine.yield()
  end
end

function M.open(name)
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.PLAINVIEW_WORKSPACE .. "/" .. name))
  return vim.api.nvim_get_current_buf()
end

--- The client of a buffer, once it can be asked.
function M.client(bufnr)
  local clients
  if vim.lsp.get_clients then
    clients = vim.lsp.get_clients({ bufnr = bufnr, name = "plainview" })
  else
    clients = vim.tbl_values(vim.lsp.buf_get_clients(bufnr))
  end
  local client = clients[1]
  return client and client.initialized and client.attached_buffers[bufnr] and client or nil
end

function M.wait_for_client(bufnr)
  return M.wait("a client", function()
    return M.client(bufnr)
  end)
end

--- Types as a person does. `<` starts the name of a key only in `keys`.
function M.type(keys, text)
  vim.api.nvim_input(keys .. (text or ""):gsub("<", "<lt>"))
end

function M.leave_insert_mode()
  vim.api.nvim_input("<Esc>")
  M.wait("normal mode", function()
    return vim.api.nvim_get_mode().mode == "n"
  end)
end

function M.lines(bufnr)
  return vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
end

function M.findings(bufnr)
  return vim.tbl_map(function(found)
    local sent = (found.user_data or {}).lsp or {}
    return {
      line = found.lnum,
      column = found.col,
      last_line = found.end_lnum,
      last_column = found.end_col,
      severity = found.severity,
      source = found.source,
      code = found.code or sent.code,
      message = found.message,
    }
  end, vim.diagnostic.get(bufnr))
end

function M.wait_for_findings(bufnr, count)
  M.wait(count .. " findings", function()
    return #vim.diagnostic.get(bufnr) == count
  end)
  return M.findings(bufnr)
end

--- What the server last said of a buffer, as the status line shows it.
function M.wait_for_status(pattern)
  return M.wait("a status like " .. pattern, function()
    local text = require("plainview").status()
    return text:find(pattern) and text
  end)
end

function M.server_pids()
  local file = io.open(vim.env.PLAINVIEW_PIDS)
  if not file then
    return {}
  end
  local pids = {}
  for pid in file:lines() do
    table.insert(pids, tonumber(pid))
  end
  file:close()
  return pids
end

--- Kills the newest server as the kernel does when memory runs out.
function M.kill_server()
  local pids = M.server_pids()
  vim.loop.kill(pids[#pids], 9)
  return #pids
end

--- Chooses from the menu of vim.lsp.buf.code_action() by title.
function M.choose(title)
  vim.ui.select = function(items, options, on_choice)
    for index, item in ipairs(items) do
      if options.format_item(item):find(title, 1, true) then
        return on_choice(item, index)
      end
    end
    error("not in the menu: " .. title)
  end
  vim.lsp.buf.code_action()
end

return M
