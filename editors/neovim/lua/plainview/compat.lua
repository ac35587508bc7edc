-- What Neovim calls the same thing in 0.7 to 0.11, in one place.
local M = {}

M.can_enable = vim.fn.has("nvim-0.11") == 1

local function every_client(bufnr)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = bufnr })
  elseif bufnr then
    return vim.tbl_values(vim.lsp.buf_get_clients(bufnr))
  end
  return vim.lsp.get_active_clients()
end

--- The clients of this plugin, of one buffer or of all.
function M.clients(bufnr)
  return vim.tbl_filter(function(client)
    return client.name == "plainview"
  end, every_client(bufnr))
end

--- Whether a buffer has a client of any plugin.
function M.any_client(bufnr)
  return #every_client(bufnr) > 0
end

function M.stop(client)
  if M.can_enable then
    client:stop(true)
  else
    client.stop(true)
  end
end

function M.is_stopped(client)
  if M.can_enable then
    return client:is_stopped()
  end
  return client.is_stopped()
end

function M.notify(client, method, params)
  if M.can_enable then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

function M.filetype(bufnr)
  return vim.api.nvim_buf_get_option(bufnr, "filetype")
end

function M.log_path()
  return vim.lsp.get_log_path()
end

return M
