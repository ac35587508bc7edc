-- Neovim up to 0.11 asks for code lenses only when told to. The server's status says when they have changed.
local M = {}

local function supported(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  return client and client.server_capabilities and client.server_capabilities.codeLensProvider
end

local function request(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  -- Up to 0.9 only the current buffer can be refreshed.
  vim.api.nvim_buf_call(bufnr, function()
    if vim.fn.has("nvim-0.10") == 1 then
      vim.lsp.codelens.refresh({ bufnr = bufnr })
    else
      vim.lsp.codelens.refresh()
    end
  end)
end

local waiting = {}

function M.refresh(bufnr, client_id)
  if not vim.api.nvim_buf_is_loaded(bufnr) or not supported(client_id) then
    return
  end
  if vim.api.nvim_get_mode().mode:sub(1, 1) ~= "i" then
    request(bufnr)
  elseif not waiting[bufnr] then
    -- Nothing jumps while a person types.
    waiting[bufnr] = true
    vim.api.nvim_create_autocmd("InsertLeave", {
      buffer = bufnr,
      once = true,
      callback = function()
        waiting[bufnr] = nil
        request(bufnr)
      end,
    })
  end
end

return M
