-- The client's configuration, the same for every Neovim.
local files = require("plainview.files")
local root = require("plainview.root")
local server = require("plainview.server")

local M = {}

local function root_dir(bufnr, on_dir)
  if files.wanted(bufnr) and server.ready() then
    on_dir(root.find(vim.api.nvim_buf_get_name(bufnr)))
  end
end

local function base()
  return {
    name = "plainview",
    cmd = server.command,
    filetypes = files.filetypes,
    root_dir = root_dir,
    -- Neovim would hold each edit back for 150 ms. The server needs about one, and waits by itself where it should.
    flags = { debounce_text_changes = 20 },
    capabilities = { experimental = { plainview = { status = true } } },
    handlers = {
      ["plainview/status"] = function(...)
        require("plainview.status").receive(...)
      end,
    },
    on_exit = function(...)
      require("plainview.restart").on_exit(...)
    end,
  }
end

--- For lsp/plainview.lua. Neovim skips a missing program without a word when `cmd` is a list.
function M.for_enable()
  local config = base()
  config.cmd = function(dispatchers, client)
    client = client or {}
    return vim.lsp.rpc.start(server.command, dispatchers, { cwd = client.cmd_cwd, env = client.cmd_env })
  end
  return config
end

--- For Neovim 0.7 to 0.10, where the capabilities have to be given in full.
function M.for_start(opts)
  local config = vim.tbl_deep_extend("force", base(), opts or {})
  local defaults = vim.lsp.protocol.make_client_capabilities()
  -- Neovim 0.7 answers workspace/configuration and does not say so.
  defaults.workspace.configuration = true
  config.capabilities = vim.tbl_deep_extend("force", defaults, config.capabilities)
  return config
end

return M
