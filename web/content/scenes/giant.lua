-- The giant in the middle. It sleeps until somebody comes near. Then it leaves to chance what it does and whom it means,
-- shows where that will land, and does it a second later: whoever has stepped aside by then goes free.
-- A rule lets it look up six times a second; it rests in between, but for the ticks of a blow. Rules let its signals be heard.

local WAKES, LOSES = 9, 13          -- metres from where it sleeps
local PAUSE = 96                    -- ticks from one blow to the next
local FLIGHT_PULL = 0.012           -- how fast a boulder falls (m a tick, each tick)

local BLOWS = {
  stomp = { radius = 4.6, ticks = 72, damage = 85, shake = 0.4 },
  boulder = { radius = 2.5, ticks = 66, damage = 115, shake = 0.3 },
  roar = { radius = 7.5, ticks = 54, damage = 20, shake = 0.15 },
}

local home                          -- where it sleeps
local awake, ready = false, 0
local blow                          -- what is coming
local rubble = {}                   -- what is left of blows, until it is cleared away

local function ring(x, y, z, radius, color, alpha)
  return engine.spawn({
    mesh = 'cylinder', position = { x, y, z }, scale = { radius * 2, 0.05, radius * 2 }, tags = { 'warning' },
    material = { alpha_mode = 'blend', albedo = { color[1], color[2], color[3], alpha }, emissive = { color[1] * 0.9, color[2] * 0.5, color[3] * 0.4 } },
  })
end

local function foes(x, y, z, radius)
  return engine.query({ filter = 'alive & component:combat', near = { x, y, z }, radius = radius })
end

local function words(said, color)
  engine.act({ action = 'show_text', text = said, x = 0.5, y = 0.18, size = 20, color = color, lifetime = 150 })
end

local function whom(near, me)
  local choice = engine.chance('whom', { nearest = 2, weakest = 1 })
  if choice == 'nearest' then return near[1] end
  local weakest = near[1]
  for i = 2, #near do
    if engine.get_health(near[i]) < engine.get_health(weakest) then weakest = near[i] end
  end
  return weakest
end

local function begin(me, near)
  local kind = engine.chance('the giant', { stomp = 3, boulder = 3, roar = 1 })
  local what = BLOWS[kind]
  local x, y, z = engine.get_position(me)
  local tx, tz = x, z
  if kind == 'boulder' then
    local ox, _, oz = engine.get_position(whom(near, me))
    tx, tz = ox, oz
  end
  engine.face(me, tx - x, tz - z)
  local ground = y - 1
  blow = {
    kind = kind, what = what, x = tx, y = ground, z = tz, from = engine.tick(), at = engine.tick() + what.ticks,
    ring = ring(tx, ground + 0.42, tz, what.radius, { 0.95, 0.3, 0.14 }, 0.3),
    fill = ring(tx, ground + 0.48, tz, 0.2, { 1, 0.42, 0.12 }, 0.55),
  }
  if kind == 'boulder' then
    blow.stone = engine.spawn({ mesh = 'models/rock.glb', position = { x, ground + 3.6, z }, scale = { 1.3, 1.3, 1.3 }, tags = { 'boulder' } })
    local ticks = what.ticks
    blow.vx, blow.vz = (tx - x) / ticks, (tz - z) / ticks
    blow.vy = (-3.2 + 0.5 * FLIGHT_PULL * ticks * ticks) / ticks
  end
  engine.emit('giant_' .. kind)
end

local function fly()
  local x, y, z = engine.get_position(blow.stone)
  engine.set_position(blow.stone, x + blow.vx, y + blow.vy, z + blow.vz)
  blow.vy = blow.vy - FLIGHT_PULL
end

local function strike(me)
  local what, x, y, z = blow.what, blow.x, blow.y, blow.z
  for _, one in ipairs(foes(x, y, z, what.radius)) do
    -- What the giant does earns nobody a point: the blow is nobody's.
    engine.act({ action = 'damage', target = 'this', amount = what.damage }, one, one)
    if blow.kind == 'roar' then
      engine.act({ action = 'apply_effect', target = 'this', tag = 'frightened', duration = 2.5, modifiers = { 'move_speed:multiply:0.45' } }, one, one)
    end
  end
  engine.act({ action = 'camera_shake', strength = what.shake, ticks = 30 })
  engine.act({ action = 'emit_particles', target = 'this', count = 40, preset = 'smoke' }, blow.fill, me)
  engine.set(blow.fill, 'local_transform.scale.x', 0.02)
  engine.set(blow.fill, 'local_transform.scale.z', 0.02)
  engine.despawn(blow.ring)
  engine.emit('giant_strikes')
  rubble[#rubble + 1] = { left = blow.fill, stone = blow.stone, till = engine.tick() + 150 }
  ready = engine.tick() + PAUSE
  blow = nil
end

local function forget()
  engine.despawn(blow.ring)
  engine.despawn(blow.fill)
  if blow.stone then engine.despawn(blow.stone) end
  blow = nil
end

function on_start(me)
  home = { engine.get_position(me) }
end

local function clear_rubble()
  while rubble[1] and engine.tick() >= rubble[1].till do
    local old = table.remove(rubble, 1)
    engine.despawn(old.left)
    if old.stone then engine.despawn(old.stone) end
  end
end

-- A blow on its way, tick by tick.
local function go_on(me)
  if engine.tick() >= blow.at then return strike(me) end
  local size = blow.what.radius * 2 * (engine.tick() - blow.from) / blow.what.ticks
  engine.set(blow.fill, 'local_transform.scale.x', size)
  engine.set(blow.fill, 'local_transform.scale.z', size)
  if blow.stone then fly() end
end

local function look_up(me)
  local near = foes(home[1], home[2], home[3], awake and LOSES or WAKES)
  if #near == 0 then
    if awake then
      awake = false
      words('The giant sleeps again', 'silver')
    end
    local health, most = engine.get_health(me)
    if health < most then engine.set_health(me, health + most / 40) end
    return
  end
  if not awake then
    awake = true
    ready = engine.tick() + 40
    words('The giant wakes', 'orange')
    engine.emit('giant_wakes')
  end
  if engine.tick() >= ready then begin(me, near) end
end

function on_update(me)
  clear_rubble()
  if engine.has(me, 'dead') then
    if blow then forget() end
  elseif blow then
    go_on(me)
  else
    look_up(me)
  end
  if not blow then engine.set(me, 'script.enabled', 0) end
end
