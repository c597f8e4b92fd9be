/**
 * Declarations of systems about their chance are true. Names that do not depend on an outcome stay equal for any
 * outcome. A system that decides first changes nothing before, and an undeclared draw never occurs.
 * Owns: changing the outcome of each draw on a copy, and comparing the worlds after the system.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { components } from '../../../../shared/components/index.ts';
import { withColumns } from '../../../../shared/verbs/access.ts';
import { type ChanceChoice, type Chooser, sample, startChance } from '../../../../web/sim/core/chance.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { isAlive } from '../../../../web/sim/core/entities.ts';
import type { System, SystemChance } from '../../../../web/sim/core/system.ts';
import { each, remove, type World, write } from '../../../../web/sim/core/world.ts';
import { diffWorlds } from '../../../../web/sim/diff/diff-worlds.ts';
import { schedule } from '../../../../web/sim/schedule.ts';
import { endTick, prepareTick, runSystem } from '../../../../web/sim/step.ts';
import { beings, presses, rules, SETTING, shots, zones } from '../../../support/chance-worlds.ts';
import { startEngine } from '../../../support/engine.ts';
import { cases, SEED } from '../../../support/property.ts';

interface SystemRun {
	readonly world: World;
	readonly choices: readonly ChanceChoice[];
	/** True if the world was the same at every draw. */
	readonly decidesFirst: boolean;
}

/** Runs a system on a copy of a world, with one draw forced to an outcome. */
function runOnCopy(before: World, system: System, draw = -1, outcome = 0): SystemRun {
	const world = clone(before);
	let version = -1;
	let decidesFirst = true;
	let count = 0;
	const chooser: Chooser = (now, site, outcomes) => {
		if (count === 0) version = now.version;
		decidesFirst &&= now.version === version;
		return count++ === draw ? outcome : sample(now, site, outcomes);
	};
	const run = startChance(chooser);
	runSystem(world, system, run);
	return { world, choices: run.choices, decidesFirst };
}

/**
 * Returns the names of the differences, as in accesses. Differences in new entities count only if spawning is not
 * declared.
 */
function differences(before: World, from: World, to: World, declared: ReadonlySet<string>): string[] {
	const { spawned, despawned, changed, parts } = diffWorlds(from, to, 1000);
	const entities = spawned.length + despawned.length > 0 || parts.includes('slots');
	return [
		...changed
			.filter(({ id }) => isAlive(before, id) || !declared.has('entities'))
			.flatMap(({ fields }) => fields.map(({ field }) => field)),
		...(entities ? ['entities'] : []),
		...(parts.includes('events') ? ['events'] : []),
	];
}

/** Changes the data with irrelevant names: reverses columns, and removes components. */
function disturb(world: World, irrelevantNames: readonly string[]): void {
	for (const name of irrelevantNames) {
		const component = components.find((component) => component.name === name.split('.', 1)[0]);
		if (component === undefined) continue;
		const [, field] = name.split('.');
		if (field === undefined) each(world, [component], (slot) => void remove(world, slot, component));
		else (write(world, component, field) as unknown as Float32Array).reverse();
	}
}

const drawn = new Map<string, number>();

function checkChance(before: World, start: World, system: System, chance: SystemChance): void {
	const changes = chance.changes(start);
	const written = [
		...(changes.writes ?? []),
		...(changes.queries ?? []).flatMap(({ writes = [] }) => writes),
	];
	const declared = new Set([
		...withColumns(written),
		...((changes.emits ?? []).length > 0 ? ['events'] : []),
	]);
	const normalRun = runOnCopy(before, system);
	if (normalRun.choices.length > 0) {
		expect(chance.mayDraw?.(start), `${system.name} is asked`).not.toBe(false);
		if (chance.decidesFirst === true)
			expect(normalRun.decidesFirst, `${system.name} decides first`).toBe(true);
		drawn.set(system.name, (drawn.get(system.name) ?? 0) + normalRun.choices.length);
	}
	const drawsOf = ({ choices }: SystemRun) => choices.map(({ site, outcomes: odds }) => ({ site, odds }));
	if (chance.irrelevantNames !== undefined) {
		const disturbed = clone(before);
		disturb(disturbed, chance.irrelevantNames);
		const disturbedRun = runOnCopy(disturbed, system);
		expect(drawsOf(disturbedRun), `${system.name} draws whatever it reads aside`).toEqual(drawsOf(normalRun));
		for (const world of [disturbed, disturbedRun.world]) dispose(world);
	}
	normalRun.choices.forEach(({ outcomes, outcome: known }, draw) => {
		outcomes.forEach(({ probability }, outcome) => {
			if (outcome === known || probability.num === 0n) return;
			const otherRun = runOnCopy(before, system, draw, outcome);
			const changedNames = differences(before, normalRun.world, otherRun.world, declared);
			expect(changedNames.filter((name) => !declared.has(name))).toEqual([]);
			// No draw depends on the outcome of another draw of the same system.
			expect(drawsOf(otherRun)).toEqual(drawsOf(normalRun));
			dispose(otherRun.world);
		});
	});
	dispose(normalRun.world);
}

/** Runs ticks, and checks the declared chance of each system before the system runs. */
function checkTicks(world: World, ticks: number): void {
	for (let tick = 0; tick < ticks; tick++) {
		const start = clone(world);
		prepareTick(world);
		const run = startChance(sample);
		for (const system of schedule) {
			const { chance } = system;
			if (chance !== undefined && !('rules' in chance)) checkChance(world, start, system, chance);
			runSystem(world, system, run);
		}
		endTick(world);
		dispose(start);
	}
}

/** A script that draws for each entity, and counts the results. */
const WANDERER = `local lefts = 0
function on_update(me)
	local x, y, z = engine.get_position(me)
	if engine.chance("way", { left = 1, right = 2 }) == "left" then lefts = lefts + 1; x = x - 1 else x = x + 1 end
	engine.set_position(me, x, lefts, z)
end`;

test(`outcomes change their declared targets, and nothing else (seed ${SEED})`, async () => {
	const worlds = cases(fc.tuple(beings, rules, shots, zones, presses), 150);
	for (const [documents, list, launches, triggers, pressed] of worlds) {
		const { engine, call } = await startEngine();
		for (const [path, body] of SETTING) await call('POST', path, body);
		for (const document of documents) await call('POST', '/spawn', document);
		for (const document of list) await call('POST', '/rule/create', document);
		for (const document of launches) await call('POST', '/projectile/spawn', document);
		for (const document of triggers) await call('POST', '/trigger/create', document);
		for (const [path, body] of pressed) await call('POST', path, body);
		checkTicks(engine.worlds.main.world, 4);
		engine.close();
	}
	const { engine, must } = await startEngine();
	await must('POST', '/script/load', { script_name: 'wanderer', source: WANDERER });
	for (const x of [0, 5, 10]) await must('POST', '/spawn', { position: [x, 0, 0], script: 'wanderer' });
	checkTicks(engine.worlds.main.world, 8);
	engine.close();
	for (const { name, chance } of schedule)
		if (chance !== undefined && !('rules' in chance)) expect(drawn.get(name), name).toBeGreaterThan(20);
});
