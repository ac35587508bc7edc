-- Brings a server back that has died, unless it keeps dying.
local feed = require("plainview.feed")
local server = require("plainview.server")
local start = require("plainview.start")
local status = require("plainview.status")

local M = {}

M.limit = 4
M.window = 180

-- A server that dies again so soon may need a moment, such as the end of its own update.
local soon = 5
local pause = 1000

local deaths = {}

local function deliberate(code, signal)
  local stopped_by_signal = signal == 15 or code == 143
  return stopped_by_signal or (code == 0 and signal == 0)
end

local function note_death()
  local now = vim.loop.now() / 1000
  deaths = vim.tbl_filter(function(moment)
    return now - moment <= M.window
  end, deaths)
  table.insert(deaths, now)
end

local function died_soon()
  return #deaths > 1 and deaths[#deaths] - deaths[#deaths - 1] < soon
end

local function give_up()
  local message = "Plainview stopped %d times in %d minutes. Start it again: :PlainviewRestart"
  vim.notify(message:format(#deaths, math.floor(M.window / 60)), vim.log.levels.ERROR)
end

local function after_exit(code, signal, id)
  if vim.v.exiting ~= vim.NIL then
    return
  end
  status.forget(id)
  if start.was_replaced(id) then
    return
  end
  if deliberate(code, signal) then
    feed.watch()
    return
  end
  note_death()
  if #deaths > M.limit then
    feed.watch()
    give_up()
  elseif died_soon() then
    feed.watch()
    vim.defer_fn(start.attach_all, pause)
  else
    start.attach_all()
  end
end

--- Called by Neovim outside its main loop, hence the schedule.
function M.on_exit(code, signal, id)
  vim.schedule(function()
    after_exit(code, signal, id)
  end)
end

--- :PlainviewRestart
function M.now()
  deaths = {}
  server.forget()
  start.renew()
end

return M
