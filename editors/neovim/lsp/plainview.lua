-- Read by vim.lsp.enable("plainview"), Neovim 0.11 or newer.
return require("plainview.config").for_enable()
