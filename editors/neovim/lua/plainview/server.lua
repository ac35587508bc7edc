-- The server's program: what it is called, and what to say when it is not there.
local M = {}

M.command = { "plainview", "server" }

local told = false

function M.found()
  return vim.fn.executable(M.command[1]) == 1
end

--- Whether the server can be started; says so once where it cannot.
function M.ready()
  if M.found() then
    return true
  end
  if not told then
    told = true
    -- Short enough for one line: a longer message makes Neovim wait for a key.
    local message
    if M.command[1] == "plainview" then
      message = "Plainview needs its server: pipx install plainview, then :PlainviewRestart"
    else
      message = ("Plainview: no program %s. Correct `cmd`, then restart Neovim"):format(M.command[1])
    end
    vim.notify(message, vim.log.levels.WARN)
  end
  return false
end

--- Lets the message appear again, after a person has asked for the server.
function M.forget()
  told = false
end

return M
