-- The workspace folder of a file. Neovim's own search would take the home folder for a workspace wherever
-- ~/.claude exists, and the server would then read all of it.
local M = {}

-- The repository comes before plainview.toml: a settings file deep inside a project under review must not make
-- its own folder the workspace, where its acceptances would count.
M.markers = {
  { ".git" },
  { "plainview.toml" },
  { "pyproject.toml", "package.json", "Cargo.toml", "go.mod" },
  { "AGENTS.md", "CLAUDE.md", ".claude", ".cursor", ".github" },
}

local function is_home(folder)
  local home = vim.fn.fnamemodify(vim.loop.os_homedir(), ":p:h")
  return folder == home or folder == vim.loop.fs_realpath(home)
end

local function holds(folder, names)
  for _, name in ipairs(names) do
    if vim.loop.fs_stat(folder .. "/" .. name) then
      return true
    end
  end
  return false
end

local function nearest(folder, names)
  local parent = vim.fn.fnamemodify(folder, ":h")
  while parent ~= folder and not is_home(folder) do
    if holds(folder, names) then
      return folder
    end
    folder, parent = parent, vim.fn.fnamemodify(parent, ":h")
  end
  return nil
end

--- The folder, or nil for a file outside any workspace.
function M.find(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, names in ipairs(M.markers) do
    local found = nearest(folder, names)
    if found then
      return found
    end
  end
  return nil
end

return M
