/**
 * Environment of a script when it begins, in Lua itself.
 * Owns: the sandbox (removed functions and their replacements), ordered tables, timers, events, and the function
 * through which the engine calls a script. The functions of `host` are those of host-functions.ts. Every function
 * here that a script can call is wrapped by library-call.ts, which gives its errors the line and the name of the
 * script's call: so they are raised without a level.
 */

export const PRELUDE = `
local host = ...
local type, select, error, getmetatable, setmetatable = type, select, error, getmetatable, setmetatable
local rawget, rawset, rawlen, rawequal, tonumber = rawget, rawset, rawlen, rawequal, tonumber
local raw_next, raw_tostring, raw_setmetatable = next, tostring, setmetatable
local string, table, math, utf8, coroutine = string, table, math, utf8, coroutine
local sort, concat, unpack, floor = table.sort, table.concat, table.unpack, math.floor
local sub, byte, raw_format, raw_rep, raw_byte = string.sub, string.byte, string.format, string.rep, string.byte
local to_whole = math.tointeger
local G, charge = _G, host.charge
local MOST_RESULTS = 4000

for _, name in ipairs({ 'dofile', 'load', 'loadfile', 'loadstring', 'require', 'collectgarbage', 'xpcall', 'warn', 'module', 'package', 'io', 'os', 'debug' }) do
  G[name] = nil
end
string.dump = nil
G._VERSION = 'Lua 5.4'

-- Arguments. The name of the function is filled in by library-call.ts.

local function bad(place, why)
  error('bad argument #' .. place .. " to '?' (" .. why .. ')')
end

local function expect(kind, place, value)
  if type(value) ~= kind then bad(place, kind .. ' expected, got ' .. type(value)) end
  return value
end

-- Long texts are no numbers.
local function number_of(value)
  if type(value) == 'string' and #value > 200 then return nil end
  return tonumber(value)
end

local function whole(value, place)
  local found = number_of(value)
  if found == nil then bad(place, 'number expected, got ' .. type(value)) end
  return to_whole(found) or bad(place, 'number has no integer representation')
end

local function real(value, place)
  return number_of(value) or bad(place, 'number expected, got ' .. type(value))
end

-- Texts: no addresses, nothing that takes longer than it is charged for.

local function hook(value, name)
  local meta = getmetatable(value)
  if type(meta) ~= 'table' then return nil end
  return rawget(meta, name)
end

local function text(value)
  local kind = type(value)
  if kind == 'table' or kind == 'function' or kind == 'thread' or kind == 'userdata' then
    local own = hook(value, '__tostring')
    if own == nil then return kind end
    local said = own(value)
    if type(said) ~= 'string' then error("'__tostring' must return a string") end
    return said
  end
  return raw_tostring(value)
end
G.tostring = text

function G.print(...)
  local parts = {}
  for i = 1, select('#', ...) do parts[i] = text((select(i, ...))) end
  host.print(concat(parts, '\\t'))
end

function G.setmetatable(value, meta)
  if type(meta) == 'table' and rawget(meta, '__gc') ~= nil then error('a metatable cannot have __gc here') end
  return raw_setmetatable(value, meta)
end

local function subject(value, place)
  if type(value) == 'number' then return text(value) end
  return expect('string', place, value)
end

function string.format(form, ...)
  form = subject(form, 1)
  host.check_format(form)
  local given = { n = select('#', ...), ... }
  for i = 1, given.n do
    local kind = type(given[i])
    if kind == 'table' or kind == 'function' or kind == 'thread' then given[i] = text(given[i]) end
  end
  return raw_format(form, unpack(given, 1, given.n))
end

function string.rep(value, times, between)
  times = whole(times, 2)
  if times > 8192 then error('a text is repeated 8192 times at most') end
  charge(times > 0 and times or 0)
  return raw_rep(value, times, between)
end

local function few(from, to)
  if to - from >= MOST_RESULTS then error('too many results') end
  charge(to > from and to - from or 0)
end

function string.byte(value, from, to)
  value = subject(value, 1)
  from = from == nil and 1 or whole(from, 2)
  if to == nil then return raw_byte(value, from) end
  to = whole(to, 3)
  few(from < 0 and #value + from or from, to < 0 and #value + to or to)
  return raw_byte(value, from, to)
end

local function counted(library, name)
  local raw = library[name]
  library[name] = function(value, ...)
    if type(value) == 'string' then charge(#value // 8) end
    return raw(value, ...)
  end
end
counted(string, 'lower')
counted(string, 'upper')
counted(string, 'reverse')
counted(utf8, 'len')
counted(utf8, 'offset')

local raw_codepoint = utf8.codepoint
function utf8.codepoint(value, from, to)
  value = subject(value, 1)
  from = from == nil and 1 or whole(from, 2)
  if to ~= nil then
    to = whole(to, 3)
    few(from < 0 and #value + from or from, to < 0 and #value + to or to)
  end
  return raw_codepoint(value, from, to)
end

for _, name in ipairs({ 'pack', 'unpack', 'packsize' }) do
  local raw = string[name]
  string[name] = function(form, ...)
    if type(form) ~= 'string' or #form > 200 then error('the format has to be a text of at most 200 letters') end
    return raw(form, ...)
  end
end

function G.tonumber(value, base)
  if base == nil then return number_of(value) end
  if type(value) == 'string' and #value > 200 then return nil end
  return tonumber(value, base)
end

-- Arithmetic on texts. If an operand is not a number, the metamethod of the second one decides, as in Lua.
do
  local meta = getmetatable('')
  local function arithmetic(event, work)
    meta[event] = function(a, b)
      local x, y = number_of(a), number_of(b)
      if x ~= nil and y ~= nil then return work(x, y) end
      local own = type(b) ~= 'string' and hook(b, event) or nil
      if own ~= nil then return own(a, b) end
      error('attempt to perform arithmetic on a ' .. type(x == nil and a or b) .. ' value')
    end
  end
  arithmetic('__add', function(a, b) return a + b end)
  arithmetic('__sub', function(a, b) return a - b end)
  arithmetic('__mul', function(a, b) return a * b end)
  arithmetic('__div', function(a, b) return a / b end)
  arithmetic('__mod', function(a, b) return a % b end)
  arithmetic('__pow', function(a, b) return a ^ b end)
  arithmetic('__idiv', function(a, b) return a // b end)
  arithmetic('__unm', function(a) return -a end)
  meta.__metatable = 'text'
end

-- Patterns: matched by the engine, which counts every step.

local find_match, expand = host.find_match, host.expand

local function start_of(value, from, place)
  from = from == nil and 1 or whole(from, place)
  if from < 0 then from = #value + from + 1 end
  if from < 1 then from = 1 end
  return from
end

-- The captures alone, or the whole match where there are none.
local function pieces(value, first, last, ...)
  if select('#', ...) == 0 then return sub(value, first, last) end
  return ...
end

local function found_at(first, last, ...)
  return first, last, ...
end

function string.find(value, pattern, from, plain)
  value, pattern = subject(value, 1), subject(pattern, 2)
  from = start_of(value, from, 3)
  if from > #value + 1 then return nil end
  if plain then return host.find_plain(value, pattern, from) end
  return found_at(find_match(value, pattern, from))
end

local function match_or_nil(value, first, ...)
  if first == nil then return nil end
  return pieces(value, first, ...)
end

function string.match(value, pattern, from)
  value, pattern = subject(value, 1), subject(pattern, 2)
  from = start_of(value, from, 3)
  if from > #value + 1 then return nil end
  return match_or_nil(value, find_match(value, pattern, from))
end

function string.gmatch(value, pattern, from)
  value, pattern = subject(value, 1), subject(pattern, 2)
  local at, before = start_of(value, from, 3), -1
  local function step(first, last, ...)
    if first == nil then
      at = #value + 2
      return nil
    end
    at, before = last + 1, last
    return pieces(value, first, last, ...)
  end
  return host.library(function()
    if at > #value + 1 then return nil end
    return step(find_match(value, pattern, at, true, before))
  end)
end

function string.gsub(value, pattern, by, most)
  value, pattern = subject(value, 1), subject(pattern, 2)
  local kind = type(by)
  if kind == 'number' then by, kind = text(by), 'string' end
  if kind ~= 'string' and kind ~= 'table' and kind ~= 'function' then
    bad(3, 'string/function/table expected, got ' .. kind)
  end
  most = most == nil and math.huge or whole(most, 4)
  local anchored = byte(pattern, 1) == 94
  local out, count, at, before = {}, 0, 1, -1
  local function replace(first, last, ...)
    if first == nil then return false end
    out[#out + 1] = sub(value, at, first - 1)
    local new
    if kind == 'string' then
      new = expand(by, sub(value, first, last), ...)
    else
      local key = pieces(value, first, last, ...)
      if kind == 'table' then new = by[key] else new = by(pieces(value, first, last, ...)) end
      if not new then
        new = sub(value, first, last)
      elseif type(new) == 'number' then
        new = text(new)
      elseif type(new) ~= 'string' then
        error('invalid replacement value (a ' .. type(new) .. ')')
      end
    end
    out[#out + 1] = new
    count, at, before = count + 1, last + 1, last
    return true
  end
  while count < most and at <= #value + 1 do
    if not replace(find_match(value, pattern, at, false, before)) or anchored then break end
  end
  out[#out + 1] = sub(value, at)
  return concat(out), count
end

-- Tables: in order, and charged for what they move.

-- Sorting many by the library alone may take the square of how many there are; what a script compares is counted.
local MOST_UNCOUNTED = 256
local function is_less(a, b)
  return a < b
end
local function sorted(list, count, less)
  charge(count * 8)
  if count > MOST_UNCOUNTED then
    local given = less or is_less
    less = function(a, b) return given(a, b) end
  end
  return sort(list, less)
end

local rank = { number = 1, string = 2, boolean = 3 }

-- Numbers, then texts, then booleans; other keys come last, in an order that is the same wherever the script runs.
local function comes_before(a, b)
  local first, second = rank[type(a)] or 4, rank[type(b)] or 4
  if first ~= second then return first < second end
  if first <= 2 then return a < b end
  return first == 3 and b and not a
end

function G.pairs(value)
  local own = hook(value, '__pairs')
  if own ~= nil then
    local f, s, k = own(value)
    return f, s, k
  end
  local keys, count = {}, 0
  local kind, same = nil, true
  for key in raw_next, value do
    count = count + 1
    keys[count] = key
    if kind == nil then kind = type(key) elseif type(key) ~= kind then same = false end
  end
  if count > 1 then
    if same and (kind == 'number' or kind == 'string') then
      sorted(keys, count)
    else
      sort(keys, comes_before)
    end
  end
  local at = 0
  return function()
    while at < count do
      at = at + 1
      local key = keys[at]
      local there = rawget(value, key)
      if there ~= nil then return key, there end
    end
  end, value, nil
end

function G.next(value, key)
  local best, from = nil, nil
  if key ~= nil and not rank[type(key)] then from = key end
  for other in raw_next, value, from do
    local later
    if from ~= nil then
      later = not rank[type(other)]
      if later then return other, rawget(value, other) end
    elseif key == nil or comes_before(key, other) then
      if best == nil or comes_before(other, best) then best = other end
    end
  end
  if best == nil then return nil end
  return best, rawget(value, best)
end

-- Loops of the library are not counted. So it is given plain tables and whole numbers, and is charged for beforehand; a list
-- that has a metatable, which can say anything of its length, is gone through here, where every step counts.
local raw_insert, raw_remove, raw_move = table.insert, table.remove, table.move

local function plain(list)
  return type(list) == 'table' and getmetatable(list) == nil
end

local function length(list)
  return whole(#expect('table', 1, list), 1)
end

function table.insert(list, ...)
  local given = select('#', ...)
  if plain(list) then
    if given > 1 then charge(#list) end
    return raw_insert(list, ...)
  end
  local last = length(list)
  if given == 1 then
    list[last + 1] = (...)
    return
  end
  if given ~= 2 then error("wrong number of arguments to 'insert'") end
  local at, value = ...
  at = whole(at, 2)
  if at < 1 or at > last + 1 then bad(2, 'position out of bounds') end
  for i = last, at, -1 do list[i + 1] = list[i] end
  list[at] = value
end

function table.remove(list, at)
  if plain(list) then
    if at == nil then return raw_remove(list) end
    charge(#list)
    return raw_remove(list, at)
  end
  local last = length(list)
  at = at == nil and last or whole(at, 2)
  if at ~= last and (at < 1 or at > last + 1) then bad(2, 'position out of bounds') end
  local value = list[at]
  for i = at, last - 1 do list[i] = list[i + 1] end
  list[at < last and last or at] = nil
  return value
end

function table.move(list, from, to, at, into)
  from, to, at = whole(from, 2), whole(to, 3), whole(at, 4)
  expect('table', 1, list)
  into = into == nil and list or expect('table', 5, into)
  if to < from then return into end
  local more = to - from
  if more < 0 or at > math.maxinteger - more then bad(3, 'too many elements to move') end
  if plain(list) and plain(into) then
    charge(more)
    return raw_move(list, from, to, at, into)
  end
  if at > to or at <= from or not rawequal(list, into) then
    for i = 0, more do into[at + i] = list[from + i] end
  else
    for i = more, 0, -1 do into[at + i] = list[from + i] end
  end
  return into
end

function table.concat(list, between, from, to)
  from = from == nil and 1 or whole(from, 3)
  to = to == nil and length(list) or whole(to, 4)
  if plain(list) then
    if to > from then charge(to - from >= 0 and to - from or math.maxinteger) end
    return concat(list, between, from, to)
  end
  local parts, count = {}, 0
  for i = from, to do
    local part = list[i]
    if type(part) ~= 'string' and type(part) ~= 'number' then
      error('invalid value (' .. type(part) .. ') at index ' .. i .. " in table for 'concat'")
    end
    count = count + 1
    parts[count] = part
  end
  return concat(parts, between, 1, count)
end

function table.unpack(list, from, to)
  from = from == nil and 1 or whole(from, 2)
  to = to == nil and length(list) or whole(to, 3)
  few(from, to)
  if plain(list) then return unpack(list, from, to) end
  local values, count = {}, 0
  for i = from, to do
    count = count + 1
    values[count] = list[i]
  end
  return unpack(values, 1, count)
end

function table.sort(list, less)
  local count = length(list)
  if less ~= nil then expect('function', 2, less) end
  if plain(list) then return sorted(list, count, less) end
  charge(count)
  local values = {}
  for i = 1, count do values[i] = list[i] end
  sorted(values, count, less)
  for i = 1, count do list[i] = values[i] end
end
G.unpack = nil

-- A coroutine begins to count anew: beginning one costs as much as could go uncounted. It ends within a pcall, so that what it
-- has to close is closed while it still counts: of one that was stopped nothing more would be counted.
local raw_pcall = pcall
local function ended(well, ...)
  if well then return ... end
  error((...), 0)
end
for _, name in ipairs({ 'create', 'wrap' }) do
  local raw = coroutine[name]
  coroutine[name] = function(body)
    expect('function', 1, body)
    charge(host.period)
    return raw(function(...) return ended(raw_pcall(body, ...)) end)
  end
end

math.randomseed(1)

-- What builds with LUA_COMPAT_MATHLIB have besides. It is worked out in the machine, so its bits are the same everywhere.

local exp, log, atan, huge = math.exp, math.log, math.atan, math.huge
local pack_text, unpack_text = string.pack, string.unpack

function math.pow(x, y) return real(x, 1) ^ real(y, 2) end
function math.atan2(y, x) return atan(real(y, 1), real(x, 2)) end
function math.log10(x) return log(real(x, 1), 10) end

local function cosh(x)
  local half = exp((x < 0 and -x or x) / 2)
  return half / 2 * half + 0.5 / half / half
end
function math.cosh(x) return cosh(real(x, 1)) end

-- Near 0, where the exponentials would cancel out, as a series.
local function sinh(x)
  if x > -1 and x < 1 then
    local square, sum = x * x, 1.0
    for n = 20, 2, -2 do sum = 1 + square / (n * (n + 1)) * sum end
    return x * sum
  end
  if x < 0 then return -sinh(-x) end
  local half = exp(x / 2)
  return half / 2 * half - 0.5 / half / half
end
function math.sinh(x) return sinh(real(x, 1)) end

local function tanh(x)
  if x > -0.5 and x < 0.5 then return sinh(x) / cosh(x) end
  if x < 0 then return -tanh(-x) end
  return 1 - 2 / (exp(2.0 * x) + 1)
end
function math.tanh(x) return tanh(real(x, 1)) end

-- The mantissa, from 0.5 to 1, and the exponent of 2.
local function split(x)
  if x == 0 or x ~= x or x == huge or x == -huge then return x + 0.0, 0 end
  local more = 0
  if x > -0x1p-1022 and x < 0x1p-1022 then x, more = x * 0x1p54, -54 end
  local bits = unpack_text('<i8', pack_text('<d', x))
  local exponent = (bits >> 52) & 0x7ff
  return unpack_text('<d', pack_text('<i8', bits & ~(0x7ff << 52) | 1022 << 52)), exponent - 1022 + more
end
function math.frexp(x)
  local mantissa, exponent = split(real(x, 1))
  return mantissa, exponent
end

-- 2 to a whole power whose result is a normal number.
local function power_of_two(exponent)
  return (unpack_text('<d', pack_text('<i8', exponent + 1023 << 52)))
end
function math.ldexp(x, exponent)
  local mantissa, own = split(real(x, 1))
  exponent = whole(exponent, 2)
  if mantissa == 0 or mantissa ~= mantissa or mantissa == huge or mantissa == -huge then return mantissa end
  if exponent > 5000 then exponent = 5000 elseif exponent < -5000 then exponent = -5000 end
  local total = own + exponent
  if total > 1024 then return mantissa * huge end
  if total >= -1021 then return mantissa * 2 * power_of_two(total - 1) end
  if total < -1080 then return mantissa * 0.0 end
  return mantissa * power_of_two(total + 60) * 0x1p-60
end

-- The engine.

local engine = {}
for name, given in raw_next, host.api do engine[name] = given end
G.engine = engine
G.euca = engine

local handlers = {}
function engine.on(name, handler)
  if type(name) ~= 'string' or type(handler) ~= 'function' then error('engine.on takes a name and a function') end
  local list = handlers[name]
  if list == nil then handlers[name] = { handler } else list[#list + 1] = handler end
end
function engine.off(name)
  handlers[name] = nil
end
local signal = host.signal
function engine.emit(name, ...)
  signal(name, ...)
  local list = handlers[name]
  if list == nil then return end
  for i = 1, #list do list[i](...) end
end

local timers, last_timer, now = {}, 0, 0
local function after(seconds, action, again)
  if type(seconds) ~= 'number' or type(action) ~= 'function' then error('a timer takes seconds and a function') end
  if #timers >= 1000 then error('a script has 1000 timers at most') end
  local ticks = floor(seconds * 60 + 0.5)
  if not (ticks >= 1) then ticks = 1 end
  last_timer = last_timer + 1
  timers[#timers + 1] = { id = last_timer, due = now + ticks, every = again and ticks or nil, action = action }
  return last_timer
end
function engine.after(seconds, action) return after(seconds, action, false) end
function engine.every(seconds, action) return after(seconds, action, true) end
function engine.cancel(id)
  for i = 1, #timers do
    if timers[i].id == id then
      raw_remove(timers, i)
      return true
    end
  end
  return false
end

local function due_timer()
  local best
  for i = 1, #timers do
    local timer = timers[i]
    if timer.due <= now and (best == nil or timer.due < timers[best].due or (timer.due == timers[best].due and timer.id < timers[best].id)) then
      best = i
    end
  end
  return best
end

local function run_timers()
  for at in due_timer do
    local timer = timers[at]
    if timer.every then timer.due = timer.due + timer.every else raw_remove(timers, at) end
    timer.action()
  end
end

local function own(name)
  local found = G[name]
  if found == nil or type(found) == 'function' or hook(found, '__call') ~= nil then return found end
  error("'" .. name .. "' has to be a function, not a " .. type(found), 0)
end

-- What the engine calls: 1 a tick begins, 2 the next event, 3 an entity starts, 4 an entity's turn; 5 is a function of another name.
return function(what, a, b)
  if what == 4 then
    local update = own('on_update')
    if update ~= nil then update(a, b) end
  elseif what == 1 then
    now = a
    if #timers > 0 then run_timers() end
    return G.on_event ~= nil or raw_next(handlers) ~= nil
  elseif what == 2 then
    local event = host.event()
    local list = handlers[event.type]
    if list ~= nil and event.type ~= 'signal' then
      for i = 1, #list do list[i](event.subject, event.source, event) end
    end
    local any = own('on_event')
    if any ~= nil then any(event) end
  elseif what == 3 then
    local start = own('on_start')
    if start ~= nil then start(a) end
  elseif what == 5 then
    local update = own(host.update_name())
    if update ~= nil then update(a, b) end
  end
end
`;
