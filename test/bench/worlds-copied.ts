/** Benchmark: forks and digests of 10 000 entities and of a game, compared with plain copies of the same bytes. */

import { GlobalTransform } from '../../shared/components/global-transform.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { digest } from '../../web/sim/core/digest.ts';
import { partState, read, type World, write } from '../../web/sim/core/world.ts';
import { matchState } from '../../web/sim/match/match.ts';
import { observe } from '../../web/sim/observe/read-out.ts';
import { Physics } from '../../web/sim/physics/physics.part.ts';
import { RAPIER } from '../../web/sim/physics/rapier.ts';
import { step } from '../../web/sim/step.ts';
import { openScene } from '../support/scenes.ts';
import { measureInTurn, type Result, ratioResult, timeResult } from './measure.ts';
import { columnBytes, crowd, pile } from './worlds.ts';

const COUNT = 10_000;

function copyAll(world: World): Uint8Array[] {
	return columnBytes(world).map((bytes) => bytes.slice());
}

/** Moves one entity a little, so that a tick has work. */
function nudge(world: World): void {
	const position = write(world, LocalTransform, 'position');
	position[0] = position[0]! + 0.25;
}

function forks(): Result[] {
	const world = crowd(COUNT);
	let copy: World | undefined;
	const [forked, copied] = measureInTurn(200, [
		{ run: () => (copy = clone(world)), after: () => dispose(copy!) },
		{ run: () => copyAll(world) },
	]) as [number, number];
	let fork: World | undefined;
	// The reference: a tick of the parent, and copies of the columns to which a fork's first tick writes.
	const [first, parent] = measureInTurn(200, [
		{
			before: () => {
				fork = clone(world);
			},
			run: () => {
				nudge(fork!);
				step(fork!);
			},
			after: () => dispose(fork!),
		},
		{
			run: () => {
				nudge(world);
				step(world);
				const written = [read(world, LocalTransform, 'position'), read(world, GlobalTransform, 'position')];
				return written.map((column) => (column as Float32Array).slice());
			},
		},
	]) as [number, number];
	return [
		{
			...ratioResult(
				'fork',
				'fork, 10 000 entities without bodies',
				forked,
				'copy of the same bytes',
				copied,
			),
			aim: 'under 0.2 ms',
			met: forked < 0.2,
		},
		ratioResult(
			'fork',
			"a fork's first tick",
			first,
			"parent's tick and copy of what it writes",
			parent,
			1.1,
		),
	];
}

function bodyForks(): Result[] {
	const world = pile(COUNT);
	for (let i = 0; i < 30; i++) step(world);
	const bytes = columnBytes(world).reduce((sum, { length }) => sum + length, 0);
	let fork: World | undefined;
	const [forked, copied] = measureInTurn(20, [
		{ run: () => (fork = clone(world)), after: () => dispose(fork!) },
		{ run: () => copyAll(world) },
	]) as [number, number];
	return [
		ratioResult(
			'fork',
			'fork, 10 000 bodies',
			forked,
			'copy of the same bytes',
			copied,
			undefined,
			`${Math.round(bytes / 1024)} KiB of columns`,
		),
		readForks(world),
		...firstTicks(world),
	];
}

/** Measures reads of a fork, which need no snapshot of the physics library. */
function readForks(world: World): Result {
	const read = (world: World) => {
		world.digest = null;
		digest(world);
		observe(world);
	};
	let fork: World | undefined;
	const [forked, parent] = measureInTurn(10, [
		{
			run: () => {
				fork = clone(world);
				read(fork);
			},
			after: () => dispose(fork!),
		},
		{ run: () => read(world) },
	]) as [number, number];
	const name = 'fork of 10 000 bodies that is only read';
	return ratioResult('fork', name, forked, 'the same reads of its parent', parent, 1.05);
}

/** Measures first ticks of forks. The first fork of a tick takes a snapshot of the library, and each fork restores it. */
function firstTicks(world: World): Result[] {
	const { live } = partState(world, Physics);
	const bytes = live!.takeSnapshot();
	let fork: World | undefined;
	let bare: InstanceType<typeof RAPIER.World> | undefined;
	const queue = new RAPIER.EventQueue(true);
	const alone = { after: () => bare!.free() };
	const ours = { before: () => (fork = clone(world)), run: () => step(fork!), after: () => dispose(fork!) };
	const readAndStep = (snapshot: Uint8Array) => {
		bare = RAPIER.World.restoreSnapshot(snapshot);
		bare.step(queue);
	};
	const [later, laterAlone] = measureInTurn(20, [ours, { ...alone, run: () => readAndStep(bytes) }]) as [
		number,
		number,
	];
	// After a tick, the parent has no snapshot yet.
	const before = () => {
		step(world);
		fork = clone(world);
	};
	const [earliest, earliestAlone] = measureInTurn(20, [
		{ ...ours, before },
		{
			...alone,
			before: () => step(world),
			run: () => readAndStep(partState(world, Physics).live!.takeSnapshot()),
		},
	]) as [number, number];
	queue.free();
	const name = 'first tick of a fork, 10 000 bodies';
	return [
		ratioResult('fork', name, earliest, 'write, read and tick of the library alone', earliestAlone, 1.05),
		ratioResult(
			'fork',
			`${name}, forked before`,
			later,
			'read and tick of the library alone',
			laterAlone,
			1.05,
		),
	];
}

function digests(): Result[] {
	const world = crowd(COUNT);
	const unchanged = measureInTurn(50, [
		{
			run: () => {
				for (let i = 0; i < 1000; i++) digest(world);
			},
		},
	])[0]!;
	const [moved, copiedColumn] = measureInTurn(100, [
		{ before: () => nudge(world), run: () => digest(world) },
		{ run: () => (read(world, LocalTransform, 'position') as Float32Array).slice() },
	]) as [number, number];
	const [whole, copied] = measureInTurn(50, [
		{ before: () => forget(world), run: () => digest(world) },
		{ run: () => copyAll(world) },
	]) as [number, number];
	const bytes = columnBytes(world).reduce((sum, { length }) => sum + length, 0);
	return [
		timeResult('digest', 'digest of an unchanged world', unchanged / 1000, 0.001),
		ratioResult('digest', 'digest after one column changed', moved, 'copy of that column', copiedColumn),
		ratioResult(
			'digest',
			'digest with every column hashed anew',
			whole,
			'copy of the same bytes',
			copied,
			undefined,
			`${Math.round(bytes / 1024)} KiB, ${Math.round(bytes / 1000 / whole)} MB/s`,
		),
	];
}

/** Clears all cached hashes of a world. */
function forget(world: World): void {
	world.digest = null;
	for (const table of world.tables) {
		if (table === undefined) continue;
		for (const column of [table.presence, ...Object.values(table.columns)]) column.hash = null;
	}
}

/** Measures forks of a game in the middle of a match. */
async function arenaForks(): Promise<Result[]> {
	const engine = await openScene('arena', 1);
	const { world } = engine.worlds.main;
	for (let i = 0; i < 3600; i++) step(world);
	if (matchState(world)?.phase !== 'playing') throw new Error('the arena is not in the middle of a match');
	const many = 100;
	const forking = (use: (fork: World) => void) => ({
		run: () => {
			for (let i = 0; i < many; i++) {
				const fork = clone(world);
				use(fork);
				dispose(fork);
			}
		},
	});
	const [forked, ticked, copied] = measureInTurn(50, [
		forking(() => {}),
		forking((fork) => step(fork)),
		{
			run: () => {
				for (let i = 0; i < many; i++) copyAll(world);
			},
		},
	]).map((ms) => ms / many) as [number, number, number];
	engine.close();
	const row = (name: string, ours: number) =>
		ratioResult(
			'fork',
			name,
			ours,
			'copy of the same bytes',
			copied,
			undefined,
			`${Math.round(1000 / ours)} a second`,
		);
	return [
		row('fork of the arena, one minute in', forked),
		row('fork of the arena and its first tick', ticked),
	];
}

export async function benchCopies(): Promise<Result[]> {
	return [...forks(), ...bodyForks(), ...(await arenaForks()), ...digests()];
}
