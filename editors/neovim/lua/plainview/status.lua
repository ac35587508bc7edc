-- Grade and tokens of a buffer, as the server last told them.
local lens = require("plainview.lens")

local M = {}

local by_uri = {}

--- Handler of the notification plainview/status.
function M.receive(_, params, context)
  by_uri[params.uri] = { client = context.client_id, params = params }
  vim.cmd("redrawstatus")
  lens.refresh(vim.uri_to_bufnr(params.uri), context.client_id)
end

--- Drops what a client said that is gone.
function M.forget(client_id)
  for uri, entry in pairs(by_uri) do
    if entry.client == client_id then
      by_uri[uri] = nil
    end
  end
  vim.cmd("redrawstatus")
end

local function thousands(number)
  local text = ("%d"):format(number):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function present(value)
  return value ~= nil and value ~= vim.NIL
end

--- "C · 35 + 2,640 tok": the grade, tokens in every session, tokens once invoked. "" where there is nothing.
function M.text(bufnr)
  local entry = by_uri[vim.uri_from_bufnr(bufnr or 0)]
  if not entry or not present(entry.params.kind) then
    return ""
  end
  local parts = {}
  if present(entry.params.grade) then
    table.insert(parts, entry.params.grade)
  end
  local tokens = entry.params.tokens
  if present(tokens) then
    table.insert(parts, ("%s + %s tok"):format(thousands(tokens.session), thousands(tokens.invoked)))
  end
  return table.concat(parts, " · ")
end

return M
