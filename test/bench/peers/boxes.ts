/** Benchmark: stacked boxes in MuJoCo and here, with the same boxes, mass, friction and time step. */

import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { partState, type World } from '../../../web/sim/core/world.ts';
import { Physics } from '../../../web/sim/physics/physics.part.ts';
import { step } from '../../../web/sim/step.ts';
import { median, type Result, timeRun } from '../measure.ts';
import { EDGE, FLOOR, stackPlaces, stacks } from '../worlds.ts';
import { type Peer, peerResult, startPeer } from './peer.ts';

const COUNT = 1000;
const FRICTION = 0.5;
const TIME_STEP = 1 / 60;
/** Ticks until the contacts are settled, and ticks after that in which no body sleeps yet. */
const SETTLED = 8;
const AWAKE = 24;
const ROUNDS = 4;
/** Ticks after which all bodies sleep, and those that are measured then. */
const TIRING = 100;
const RESTING = 100;

const PEER = 'MuJoCo';

export async function boxes(): Promise<Result[]> {
	const scene = { places: stackPlaces(COUNT), EDGE, FLOOR, FRICTION, TIME_STEP };
	const peer = await startPeer('mujoco', 'boxes.py', [JSON.stringify(scene)]);
	const world = stacks(COUNT);
	/** Ticks both sides in turn. Returns both medians. */
	const measure = async (world: World, ticks: number, name: string) => {
		const times: [ours: number[], theirs: number[]] = [[], []];
		for (let tick = 0; tick < ticks; tick++) {
			times[0].push(timeRun(() => step(world)));
			if (typeof peer !== 'string') times[1].push(await peer.run(name));
		}
		return times.map(median) as [number, number];
	};
	await measure(world, SETTLED, 'awake');
	const rounds: [number, number][] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const copy = clone(world);
		step(copy);
		rounds.push(await measure(copy, AWAKE, 'awake'));
		if (countAwake(copy) !== COUNT) throw new Error(`${COUNT - countAwake(copy)} boxes sleep too early`);
		dispose(copy);
	}
	const first = [0, 1].map((side) => median(rounds.map((round) => round[side]!))) as [number, number];
	await measure(world, TIRING, 'resting');
	const second = await measure(world, RESTING, 'resting');
	if (countAwake(world) !== 0) throw new Error(`${countAwake(world)} boxes are awake in a world at rest`);
	const contacts = typeof peer === 'string' ? 0 : await contactsOf(peer);
	if (typeof peer !== 'string') await peer.close();
	const row = (name: string, [mine, other]: readonly [number, number], differs: string): Result =>
		peerResult(peer, { name, ours_ms: mine, against: PEER, against_ms: other, differs });
	return [
		row(
			`tick, ${COUNT} boxes in stacks of ten, awake`,
			first,
			`MuJoCo solves its ${contacts} contacts to convergence, Rapier in 4 sweeps; both stand`,
		),
		row(`tick, the same at rest`, second, 'both let bodies sleep'),
	];
}

/** Returns the number of contacts, if the stacks stand. */
async function contactsOf(peer: Peer): Promise<number> {
	const top = await peer.run('lowest top');
	if (top < 9.3) throw new Error(`a stack of MuJoCo fell: its top box is at ${top} m`);
	return peer.run('contacts');
}

function countAwake(world: World): number {
	let count = 0;
	for (let word of partState(world, Physics).mirror.awake) for (; word !== 0; word &= word - 1) count++;
	return count;
}
