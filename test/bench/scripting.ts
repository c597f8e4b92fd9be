/** Benchmark of scripts: a tick that moves many entities, compared with a rule and with TypeScript, and forks. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { writtenRule } from '../../shared/rules/rule.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { has, read, type World, write } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { parseRule } from '../../web/sim/documents/rule-entry.ts';
import { createRule } from '../../web/sim/rules/rule.ts';
import { giveScript, loadScript } from '../../web/sim/scripts/manage-scripts.ts';
import { spawnEntity } from '../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../web/sim/step.ts';
import { pointsInLua } from './lua-alone.ts';
import { measureInTurn, type Result, ratioResult } from './measure.ts';

const MANY = 1000;
const SCRIPTS = 20;

const MOVES = `function on_update(me)
  local x, y, z = engine.get_position(me)
  if x > 100 then x = 0 end
  engine.set_position(me, x + 0.25, y, z)
end`;

function beings(count: number): { readonly world: World; readonly slots: readonly number[] } {
	const world = createWorld();
	const slots = Array.from({ length: count }, (_, i) => {
		const { handle } = spawnEntity(world, { position: [0, 0, i], tags: ['mover'] });
		return handle.id;
	});
	return { world, slots };
}

function scripted(count: number, scripts: number): World {
	const { world, slots } = beings(count);
	for (let i = 0; i < scripts; i++) loadScript(world, `s${i}`, MOVES);
	for (const [i, id] of slots.entries())
		giveScript(world, { id, generation: 0 }, `s${i % scripts}`, 'on_update', true);
	return world;
}

function ruled(count: number): World {
	const { world } = beings(count);
	const rule = {
		when: { kind: 'tick', every: 1 },
		do: [{ action: 'add_field', target: { all: 'tag:mover' }, field: 'x', value: 0.25 }],
	};
	createRule(world, parseRule(writtenRule.parse(rule)));
	return world;
}

/** Moves entities like the script, in TypeScript. */
function move(world: World, slots: readonly number[]): void {
	for (const slot of slots) {
		if (!has(world, slot, LocalTransform)) continue;
		const x = read(world, LocalTransform, 'position')[slot * 3]!;
		write(world, LocalTransform, 'position')[slot * 3] = (x > 100 ? 0 : x) + 0.25;
	}
}

function ticks(): Result[] {
	const [lua, rule, plain] = [scripted(MANY, 1), ruled(MANY), beings(MANY)];
	const alone = pointsInLua(MANY);
	const [script, ruling, luaAlone, hand] = measureInTurn(100, [
		{ run: () => step(lua) },
		{ run: () => step(rule) },
		{ run: alone },
		{
			run: () => {
				move(plain.world, plain.slots);
				step(plain.world);
			},
		},
	]) as [number, number, number, number];
	const name = 'tick of 1 000 entities that a script moves';
	return [
		ratioResult('script', name, script, 'the same by a rule', ruling),
		ratioResult('script', name, script, 'the same in TypeScript', hand, 6),
		ratioResult('script', name, script, 'Lua alone, with these 3,000 calls', luaAlone),
		{
			...ratioResult(
				'script',
				'Lua alone, 1,000 calls in and 2,000 out',
				luaAlone,
				'the tick in TypeScript',
				hand,
			),
			note: 'the floor of the aim',
		},
	];
}

function forks(): Result[] {
	const world = scripted(SCRIPTS, SCRIPTS);
	step(world);
	const bare = beings(SCRIPTS).world;
	const forkAndTick = (from: World) => () => {
		const fork = clone(from);
		step(fork);
		dispose(fork);
	};
	const [ours, theirs] = measureInTurn(100, [{ run: forkAndTick(world) }, { run: forkAndTick(bare) }]) as [
		number,
		number,
	];
	return [
		ratioResult(
			'script',
			'fork of a world of 20 scripts and its first tick',
			ours,
			'the same without scripts',
			theirs,
		),
	];
}

export function benchScripts(): Result[] {
	return [...ticks(), ...forks()];
}
