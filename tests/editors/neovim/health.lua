-- What :checkhealth plainview prints, and whether the help page is found.
local drive = dofile(vim.env.PLAINVIEW_DRIVE)

drive.run(function(seen)
  local bufnr = drive.open(".claude/agents/harbour.md")
  if vim.fn.executable("plainview") == 1 then
    drive.wait_for_client(bufnr)
  end
  vim.cmd("checkhealth plainview")
  seen.health = table.concat(drive.lines(0), "\n")
  vim.cmd("helptags ALL")
  vim.cmd("help plainview")
  seen.help = vim.fn.expand("%:t")
  seen.help_line = vim.api.nvim_get_current_line()
  seen.subjects = {}
  for _, tag in ipairs({ ":PlainviewRestart", "plainview.setup()", "plainview-0.7" }) do
    vim.cmd("help " .. tag)
    table.insert(seen.subjects, vim.fn.expand("%:t"))
  end
end)
