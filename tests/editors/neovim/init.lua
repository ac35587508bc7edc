-- The init.lua of every Neovim under test. It notes each message that a person would see, then turns the client on as
-- the documentation says.
_G.notices = {}
local notify = vim.notify
vim.notify = function(message, level, options)
  table.insert(_G.notices, message)
  notify(message, level, options)
end

local turn_on = {
  setup = function()
    require("plainview").setup({ settings = { plainview = { codeLens = { enable = true } } } })
  end,
  options = function()
    require("plainview").setup({
      cmd = { vim.env.PLAINVIEW_PROGRAM, "server" },
      settings = { plainview = { scan = "allMarkdown", codeLens = { enable = true, headings = true } } },
      on_attach = function(_, bufnr)
        vim.b[bufnr].attached = true
      end,
    })
  end,
  enable = function()
    vim.lsp.enable("plainview")
  end,
  snippet = function()
    vim.cmd("luafile " .. vim.env.PLAINVIEW_SNIPPET)
  end,
}

turn_on[vim.env.PLAINVIEW_TURN_ON]()
