-- Neovim stops listening to a buffer that is edited while it has no client, and never starts again for that buffer:
-- a client that comes later hears of no edit. Such buffers are noticed here, and their text is sent from here.
local compat = require("plainview.compat")
local files = require("plainview.files")

local M = {}

local line_ends = { unix = "\n", dos = "\r\n", mac = "\r" }
local watched = {}
local deaf = {}
local fed = {}

local function full_text(bufnr)
  local line_end = line_ends[vim.api.nvim_buf_get_option(bufnr, "fileformat")]
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), line_end)
  if vim.api.nvim_buf_get_option(bufnr, "endofline") then
    text = text .. line_end
  end
  return text
end

local function send(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr), version = vim.api.nvim_buf_get_changedtick(bufnr) },
    contentChanges = { { text = full_text(bufnr) } },
  }
  for _, client in ipairs(compat.clients(bufnr)) do
    compat.notify(client, "textDocument/didChange", params)
  end
end

local function feed(bufnr)
  local pending = false
  local function changed()
    if not pending then
      pending = true
      vim.schedule(function()
        pending = false
        send(bufnr)
      end)
    end
  end
  fed[bufnr] = vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = changed,
    on_reload = changed,
    on_detach = function()
      fed[bufnr] = nil
    end,
  })
end

--- Called when a client has gone for good.
function M.watch()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and files.wanted(bufnr) and not watched[bufnr] then
      watched[bufnr] = true
      vim.api.nvim_buf_attach(bufnr, false, {
        on_lines = function()
          if watched[bufnr] and not compat.any_client(bufnr) then
            deaf[bufnr] = true
          end
          return not watched[bufnr] or deaf[bufnr]
        end,
      })
    end
  end
end

--- Called when a buffer has a client again.
function M.resume(bufnr)
  watched[bufnr] = nil
  if deaf[bufnr] and not fed[bufnr] then
    feed(bufnr)
  end
end

return M
