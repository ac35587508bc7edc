-- Which buffers the server is told about. The server decides what is an agent file; this only keeps it out of
-- buffers that cannot be one.
local M = {}

M.filetypes = { "markdown", "toml", "text" }

-- A few hosts keep prompts and rules in files that are not Markdown. The configuration and a user's own rules, in a
-- folder that is named for them, show what is wrong with them.
local folders = {
  toml = { "/%.gemini/commands/", "/%.codex/agents/", "/plainview%.toml$", "/[^/]*rules[^/]*/" },
  text = { "/%.clinerules/", "/Cline/Rules/", "/%.roo/rules/", "/%.roo/rules%-[^/]+/" },
}

function M.wanted(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  -- A buffer with a scheme (a diff, a remote file, a plugin's view) is not a file of this workspace.
  if name == "" or name:match("^%w[%w+.-]+://") then
    return false
  end
  if vim.api.nvim_buf_get_option(bufnr, "buftype") ~= "" then
    return false
  end
  local filetype = vim.api.nvim_buf_get_option(bufnr, "filetype")
  if filetype == "markdown" then
    return true
  end
  local path = name:gsub("\\", "/")
  for _, folder in ipairs(folders[filetype] or {}) do
    if path:find(folder) then
      return true
    end
  end
  return false
end

return M
