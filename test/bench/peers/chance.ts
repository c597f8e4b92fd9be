/** Benchmark: chance nodes and clones of OpenSpiel's backgammon, compared with a world of as many pieces and outcomes. */

import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { clientOf } from '../../support/engine.ts';
import { median, type Result, timeRun } from '../measure.ts';
import { peerResult, startPeer } from './peer.ts';

/** Pieces of backgammon, and outcomes of its two dice, in order. */
const PIECES = 30;
const OUTCOMES = 36;
const ROUNDS = 20;
const REPEATS = 50;

const PEER = 'OpenSpiel';

export async function chance(): Promise<Result[]> {
	const peer = await startPeer('open_spiel', 'chance.py');
	const engine = await board();
	const { must } = clientOf(engine.handle);
	const cases = {
		odds: async () => {
			const { distribution } = (await must('POST', '/peek')) as { distribution: unknown[] };
			if (distribution.length !== OUTCOMES) throw new Error(`peek has ${distribution.length} outcomes`);
		},
		clone: async () => {
			await must('POST', '/fork', { fork_id: 'copy' });
			await must('DELETE', '/fork/copy');
		},
		branch: async () => {
			const steps = [{ fork_id: 'copy', from: 'main', seed: 1 }];
			await must('POST', '/fork/step', { steps, keep: false, digest: true });
		},
	};
	const times = new Map<string, [ours: number[], theirs: number[]]>();
	for (let round = -5; round < ROUNDS; round++)
		for (const [name, run] of Object.entries(cases)) {
			const began = performance.now();
			for (let i = 0; i < REPEATS; i++) await run();
			const ours = (performance.now() - began) / REPEATS;
			const theirs = typeof peer === 'string' ? Number.NaN : await peer.run(name);
			if (round < 0) continue;
			const [mine, other] = times.get(name) ?? [[], []];
			mine.push(ours);
			other.push(theirs);
			times.set(name, [mine, other]);
		}
	if (typeof peer !== 'string') {
		const outcomes = await peer.run('outcomes');
		if (outcomes !== OUTCOMES) throw new Error(`a roll of OpenSpiel has ${outcomes} outcomes`);
		await peer.close();
	}
	const world = engine.worlds.main.world;
	const copy = timeRun(() => {
		for (let i = 0; i < 1000; i++) dispose(clone(world));
	});
	engine.close();
	const row = (name: string, key: string, differs: string): Result => {
		const [mine, other] = times.get(key)!;
		return peerResult(peer, {
			name,
			ours_ms: median(mine),
			against: PEER,
			against_ms: median(other),
			differs,
		});
	};
	return [
		row(
			`odds of a roll of two dice, ${OUTCOMES} outcomes of ${PIECES} pieces`,
			'odds',
			'ours: exact fractions and digests, as JSON; OpenSpiel: floats, and hashes of the states as text',
		),
		row(
			`clone of ${PIECES} pieces`,
			'clone',
			`ours: two calls with JSON, of which the copy takes ${copy.toFixed(1)} us; it is copied fully when it is written to`,
		),
		row(
			`clone of ${PIECES} pieces, a roll, and its hash`,
			'branch',
			'ours: a tick of a 3D world; OpenSpiel: one move',
		),
	];
}

/** Pieces on a board, and dice that are rolled on every tick. */
async function board(): Promise<Engine> {
	const engine = await createEngine();
	const { must } = clientOf(engine.handle);
	for (let i = 0; i < PIECES; i++)
		await must('POST', '/spawn', { tags: ['piece'], team: 1 + (i % 2), position: [i % 24, 0, 0] });
	const outcomes = Array.from({ length: OUTCOMES }, (_, i) => ({
		label: `${1 + Math.floor(i / 6)} ${1 + (i % 6)}`,
		weight: 1,
		do: [{ action: 'set_field', target: { entity: 0 }, field: 'gold', value: i }],
	}));
	await must('POST', '/rule/create', { name: 'dice', when: { kind: 'tick', every: 1 }, outcomes });
	return engine;
}
