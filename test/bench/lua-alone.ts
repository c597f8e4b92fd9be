/**
 * A loop in Lua alone that moves points, as a script moves entities: without a world, a budget or checks.
 * Owns: the least that calls into Lua and out of it cost.
 */

import { BLOCK } from '../../web/sim/scripts/allocator.ts';
import { REGISTRY } from '../../web/sim/scripts/lua-index.ts';
import { Machine } from '../../web/sim/scripts/machine.ts';

const SOURCE = `function(me)
  local x, y, z = get(me)
  if x > 100 then x = 0 end
  set(me, x + 0.25, y, z)
end`;

const NO_LIMIT = 2 ** 26;

/** Returns a function that calls Lua once for each of `count` points, which reads and writes its point. */
export function pointsInLua(count: number): () => void {
	const points = new Float32Array(count * 3);
	const machine = new Machine({
		callHostFunction({ fastCalls }, at, number) {
			const from = fastCalls.numberAt(at, 1) * 3;
			if (number === 0) {
				fastCalls.push3(at, points[from]!, points[from + 1]!, points[from + 2]!);
				return 3;
			}
			for (let i = 0; i < 3; i++) points[from + i] = fastCalls.numberAt(at, 2 + i);
			return 0;
		},
		resumeCall: () => 0,
		onPeriod: () => {},
		onThrow: () => {},
	});
	const { lua } = machine;
	const block = lua.malloc(BLOCK.bytes);
	machine.setWord(block + BLOCK.limit, NO_LIMIT);
	const at = lua.lua_newstate(machine.allocator, block);
	for (const [number, name] of ['get', 'set'].entries()) {
		lua.lua_pushinteger(at, BigInt(number));
		lua.lua_pushcclosure(at, machine.host, 1);
		lua.lua_setglobal(at, machine.writeName(name));
	}
	const text = new TextEncoder().encode(`local get, set = get, set return ${SOURCE}`);
	machine.bytes.set(text, machine.scratch);
	const loaded = lua.luaL_loadbufferx(at, machine.scratch, text.length, machine.writeName('points'), 0);
	if (loaded !== 0 || lua.lua_pcallk(at, 0, 1, 0, 0, 0) !== 0) throw new Error('The loop in Lua is broken.');
	const move = BigInt(lua.luaL_ref(at, REGISTRY));
	return () => {
		for (let i = 0; i < count; i++) {
			lua.lua_rawgeti(at, REGISTRY, move);
			machine.fastCalls.push(at, i);
			if (lua.lua_pcallk(at, 1, 0, 0, 0, 0) !== 0) throw new Error('The loop in Lua failed.');
		}
		if (points[0] === 0) throw new Error('The loop in Lua moved nothing.');
	};
}
