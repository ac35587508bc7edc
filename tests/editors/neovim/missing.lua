-- No server on the PATH: one message, however many files are opened.
local drive = dofile(vim.env.PLAINVIEW_DRIVE)

drive.run(function(seen)
  local bufnr = drive.open(".claude/agents/harbour.md")
  drive.pause(200)
  drive.open("README.md")
  drive.pause(200)
  seen.attached = drive.client(bufnr) ~= nil
  seen.status = require("plainview").status(bufnr)
end)
