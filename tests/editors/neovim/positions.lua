-- Characters outside the basic plane and CRLF before a comment must not move its squiggle.
local drive = dofile(vim.env.PLAINVIEW_DRIVE)

drive.run(function(seen)
  local bufnr = drive.open(".claude/agents/harbour.md")
  drive.wait_for_client(bufnr)
  drive.wait_for_status("tok")
  seen.fileformat = vim.api.nvim_buf_get_option(bufnr, "fileformat")
  local sails = vim.fn.nr2char(0x26F5) .. vim.fn.nr2char(0x1F6A2) .. vim.fn.nr2char(0x1D11E)
  drive.type("Go", sails .. " é <!-- Update this list when the harbour opens. -->")
  drive.leave_insert_mode()
  seen.findings = drive.wait_for_findings(bufnr, 1)
  local finding = seen.findings[1]
  local line = drive.lines(bufnr)[finding.line + 1]
  seen.line = line
  seen.before = line:sub(1, finding.column)
  seen.under = line:sub(finding.column + 1, finding.last_column)
end)
