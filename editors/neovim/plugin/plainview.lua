if vim.g.loaded_plainview then
  return
end
vim.g.loaded_plainview = true

vim.api.nvim_create_user_command("PlainviewRestart", function()
  require("plainview.restart").now()
end, { desc = "Start Plainview's server again" })
