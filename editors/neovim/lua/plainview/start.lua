-- Starts a client for a buffer, or attaches the one that its workspace already has.
local compat = require("plainview.compat")
local config = require("plainview.config")
local feed = require("plainview.feed")
local server = require("plainview.server")

local M = {}

-- What setup() was given, for Neovim 0.7 to 0.10.
M.options = {}

-- Clients that have a successor.
local replaced = {}

-- Client ids by workspace, for Neovim 0.7 to 0.10: they do not list a client that is still initializing.
local running = {}

local function current()
  if compat.can_enable then
    return vim.deepcopy(vim.lsp.config.plainview)
  end
  return config.for_start(M.options)
end

local function reusable(client, settings)
  return client.name == "plainview"
    and client.config.root_dir == settings.root_dir
    and not replaced[client.id]
    and not compat.is_stopped(client)
end

local function attach_or_start(bufnr, settings)
  local key = settings.root_dir or ""
  local client = running[key] and vim.lsp.get_client_by_id(running[key])
  if not client or not reusable(client, settings) then
    running[key] = vim.lsp.start_client(settings)
  end
  if running[key] then
    vim.lsp.buf_attach_client(bufnr, running[key])
  end
end

local function attach_at(bufnr, settings)
  if compat.can_enable then
    vim.lsp.start(settings, { bufnr = bufnr, reuse_client = reusable })
  else
    attach_or_start(bufnr, settings)
  end
  feed.resume(bufnr)
end

function M.attach(bufnr)
  local settings = current()
  if not vim.tbl_contains(settings.filetypes, compat.filetype(bufnr)) then
    return
  end
  if type(settings.root_dir) ~= "function" then
    if server.ready() then
      attach_at(bufnr, settings)
    end
    return
  end
  settings.root_dir(bufnr, function(folder)
    settings.root_dir = folder
    attach_at(bufnr, settings)
  end)
end

function M.attach_all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      M.attach(bufnr)
    end
  end
end

--- Gives every buffer a new client. The old ones stop after that, so that no edit falls between the two.
function M.renew()
  local old = {}
  for _, client in ipairs(compat.clients()) do
    old[client.id] = client
  end
  for _, id in pairs(running) do
    old[id] = vim.lsp.get_client_by_id(id)
  end
  for id in pairs(old) do
    replaced[id] = true
  end
  M.attach_all()
  for _, client in pairs(old) do
    compat.stop(client)
  end
end

function M.was_replaced(client_id)
  return replaced[client_id] == true
end

return M
