-- :checkhealth plainview
local compat = require("plainview.compat")
local server = require("plainview.server")

local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local M = {}

local function check_neovim()
  local version = vim.version()
  local text = ("Neovim %d.%d.%d"):format(version.major, version.minor, version.patch)
  if vim.fn.has("nvim-0.7") == 1 then
    ok(text)
  else
    fail(text .. " is too old", { "Install Neovim 0.7 or newer; 0.11 is best." })
  end
end

--- The list that starts the server. A function is the wrapper of lsp/plainview.lua around the default.
local function command()
  if compat.can_enable then
    local config = vim.lsp.config.plainview
    if config and type(config.cmd) == "table" then
      return config.cmd
    end
  end
  return server.command
end

local function check_server()
  local program = command()[1]
  if vim.fn.executable(program) == 0 then
    fail(("The server is missing: no program `%s`"):format(program), {
      "Install it: pipx install plainview (or: pip install plainview)",
      "See that its folder is on the PATH with which Neovim was started.",
      "Then run :PlainviewRestart",
    })
    return
  end
  local path = vim.fn.exepath(program)
  local output = vim.fn.system({ path, "--version" })
  if vim.v.shell_error == 0 then
    ok(("%s (%s)"):format(vim.trim(output), path))
  else
    fail(("%s does not run"):format(path), { "Run it in a terminal to see why: " .. program .. " --version" })
  end
end

local function encoding(client)
  return (client.server_capabilities or {}).positionEncoding or client.offset_encoding or "utf-16"
end

local function check_clients()
  local clients = compat.clients()
  if #clients == 0 then
    local advice = { "Open a Markdown file. If nothing starts, run :PlainviewRestart" }
    if compat.can_enable and not vim.lsp.is_enabled("plainview") then
      advice = { 'Add to init.lua: require("plainview").setup()' }
    end
    warn("No client is running", advice)
    return
  end
  for _, client in ipairs(clients) do
    local folder = client.config.root_dir or "no workspace folder"
    local buffers = vim.tbl_count(client.attached_buffers or {})
    ok(("Client %d: %s, %d buffer(s)"):format(client.id, folder, buffers))
    info("Position encoding: " .. encoding(client))
  end
end

function M.check()
  start("Plainview")
  check_neovim()
  check_server()
  check_clients()
  info("Log: " .. compat.log_path())
end

return M
