local compat = require("plainview.compat")

local M = {}

local function enable(options)
  -- The wrapper around `cmd` in lsp/plainview.lua stays: it is what reports a missing program.
  options.cmd = nil
  vim.lsp.config("plainview", options)
  vim.lsp.enable("plainview")
end

local function start_on_filetype(options)
  local start = require("plainview.start")
  start.options = options
  local group = vim.api.nvim_create_augroup("plainview", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = options.filetypes or require("plainview.files").filetypes,
    callback = function(event)
      start.attach(event.buf)
    end,
  })
  if vim.v.vim_did_enter == 1 then
    start.attach_all()
  end
end

--- Turns the client on, in any Neovim from 0.7 on. `options` are those of |vim.lsp.start()|, and all are optional:
--- `settings`, `cmd`, `on_attach`, `filetypes`, `root_dir`.
function M.setup(options)
  options = vim.deepcopy(options or {})
  if options.cmd then
    require("plainview.server").command = options.cmd
  end
  if compat.can_enable then
    enable(options)
  else
    start_on_filetype(options)
  end
end

--- For a status line: "C · 35 + 2,640 tok", or "" where there is nothing to say.
function M.status(bufnr)
  return require("plainview.status").text(bufnr)
end

return M
