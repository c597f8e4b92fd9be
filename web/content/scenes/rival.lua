-- The mind of a hero whom nobody plays. Which way it takes is left to chance; it casts what helps and buys what it can pay.
-- A rule lets it look up twice a second; it rests in between. Whoever takes the hero over plays it instead.

local GATE = 24.6                   -- how far from the middle its way to a camp ends
local BUYS = { { id = 1, cost = 90 }, { id = 3, cost = 140 } }

local minds = {}

local function walk(me, x, z)
  local _, y = engine.get_position(me)
  engine.act({ action = 'walk_to', target = 'this', position = { x, y, z } }, me)
end

local function cast(me, slot)
  engine.act({ action = 'cast', target = 'this', slot = slot }, me)
end

local function ready(me, slot)
  for _, ability in ipairs(engine.get(me, 'abilities').abilities) do
    if ability.slot == slot then
      return engine.tick() >= ability.ready_at and engine.get(me, 'mana.current') >= ability.mana_cost
    end
  end
  return false
end

local function hold(me, mind)
  mind.leg = 1
  if mind.way == 'middle' then return walk(me, mind.side * 2.5, 0) end
  walk(me, mind.side * 5, mind.way == 'north' and -12 or 12)
end

local function set_out(me, mind)
  local giant = engine.query({ filter = 'tag:giant & alive' })[1]
  local middle = giant and engine.get(me, 'level.level') >= 2 and 2 or 0
  mind.way = engine.chance('way of ' .. mind.team, { north = 2, south = 2, middle = middle })
  hold(me, mind)
end

-- In the middle it is on its own; on the passes it goes on with soldiers of its side, and waits for them where both sides meet.
local function march(me, mind, friends, near, weak)
  if mind.way == 'middle' then
    if #engine.query({ filter = 'tag:giant & alive' }) > 0 then return end
    mind.way = engine.chance('way of ' .. mind.team, { north = 1, south = 1 })
    hold(me, mind)
  elseif mind.leg == 1 and friends > 1 and not weak then
    mind.leg = 2
    walk(me, -mind.side * GATE, 0)
  elseif mind.leg == 2 and near > 0 and (friends == 0 or weak) then
    hold(me, mind)
  end
end

function on_start(me)
  local team = engine.get(me, 'team.team')
  minds[me] = { team = team == 1 and 'Lapis' or 'Vermilion', side = team == 1 and -1 or 1, foe = team == 1 and 2 or 1, bought = 0, leg = 0 }
end

function on_update(me)
  engine.set(me, 'script.enabled', 0)
  if engine.has(me, 'player') then return end
  local mind = minds[me]
  if engine.has(me, 'dead') then
    mind.leg = 0
    return
  end
  local x, y, z = engine.get_position(me)
  local near = engine.query({ filter = 'alive & component:health & !team:' .. (3 - mind.foe), near = { x, y, z }, radius = 5 })
  local friends = #engine.query({ filter = 'alive & role:minion & team:' .. (3 - mind.foe), near = { x, y, z }, radius = 8 })
  local health, most = engine.get_health(me)
  if mind.leg == 0 then
    set_out(me, mind)
  else
    march(me, mind, friends, #near, health < most * 0.3)
  end
  if health < most * 0.55 and ready(me, 'W') then
    cast(me, 'W')
  elseif #near >= 5 and ready(me, 'R') then
    cast(me, 'R')
  elseif #near >= 3 and ready(me, 'Q') then
    cast(me, 'Q')
  elseif #near == 0 and ready(me, 'E') and engine.get(me, 'mana.current') > 150 then
    cast(me, 'E')
  end
  local next = BUYS[mind.bought + 1]
  if next and engine.get(me, 'gold.amount') >= next.cost then
    mind.bought = mind.bought + 1
    engine.act({ action = 'buy', target = 'this', item_id = next.id }, me)
  end
end
