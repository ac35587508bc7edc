-- A server that cannot even start is not started for ever.
local drive = dofile(vim.env.PLAINVIEW_DRIVE)

drive.run(function(seen)
  drive.open(".claude/agents/harbour.md")
  drive.wait("the message", function()
    return table.concat(_G.notices, "\n"):find("PlainviewRestart")
  end)
  drive.pause(1500)
  seen.servers = #drive.server_pids()
end)
