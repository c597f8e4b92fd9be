/**
 * Games played with the inputs of a person: each is won by one way of playing, and lost by another.
 * Owns: these ways, and the check of a match's score against its events. The golden traces test games that play themselves.
 */

import { afterEach, expect, test } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { GAME_TIMEOUT, openScene } from '../../support/scenes.ts';
import { times } from '../../support/seed.ts';

type Point3 = readonly [x: number, y: number, z: number];

/** Ticks between two observations of a game. */
const OBSERVE_TICKS = 30;
/** Maximum number of ticks of a game. */
const MAX_TICKS = 25_300;

let game: TestEngine;
afterEach(() => game.engine.close());

/** Opens a game with a seed, and takes over the played entity, as the view Play does. */
async function take(name: string, entity_id: number, seed = 1): Promise<void> {
	game = testEngine(await openScene(name, seed));
	await game.must('POST', `/entities/${entity_id}/components`, { player: true });
	await game.must('POST', '/input/press', { action: 'stop', entity_id });
}

/** Returns the winning team, or null while the game continues. */
async function winner(): Promise<number | null> {
	const { phase, winner_team } = await game.get('/game/state');
	return phase === 'post_match' ? winner_team : null;
}

/** Runs the game until it is over, for at most `ticks` ticks. */
async function wait(ticks: number): Promise<number | null> {
	for (let tick = 0; tick < ticks && (await winner()) === null; tick += OBSERVE_TICKS)
		await game.step(OBSERVE_TICKS);
	return winner();
}

/** Presses a key at one point after the other, each after the previous one is reached. */
async function walk(
	entity_id: number,
	key: 'MouseRight' | 'A',
	places: readonly Point3[],
): Promise<number | null> {
	for (const point of places)
		for (let tick = 0; tick < 900 && (await winner()) === null; tick += OBSERVE_TICKS) {
			if (tick % 120 === 0) await game.must('POST', '/input/press', { key, entity_id, point });
			await game.step(OBSERVE_TICKS);
			const [x, , z] = await game.position(entity_id);
			if (Math.hypot(x! - point[0], z! - point[2]) < 1.2) break;
		}
	return winner();
}

const HERO = 0;
const ROOMS: readonly Point3[] = [
	[-9, 0.55, -6.4],
	[-9, 0.55, -4.5],
	[-3, 0.55, -4.5],
	[2, 0.55, -3],
	[3.2, 0.55, -4.5],
	[7, 0.55, -4.5],
	[9, 0.55, -3],
	[9, 0.55, 2.6],
	[9, 0.55, 4.5],
	[1.2, 0.55, 4.5],
	[-1, 0.55, 6],
	[-2.8, 0.55, 4.5],
	[-7, 0.55, 4.5],
	[-11.6, 0.55, 4.5],
];

test('the dungeon is won by a fight along the way to the hoard', async () => {
	// With this seed, the hero kills the dragon.
	await take('dungeon', HERO, 2);
	expect(await walk(HERO, 'A', ROOMS)).toBe(1);
});

test('the dungeon is lost by standing among skeletons without a fight', async () => {
	await take('dungeon', HERO);
	expect((await walk(HERO, 'MouseRight', ROOMS.slice(0, 9))) ?? (await wait(7200))).toBe(2);
});

const BALL = 0;

test('the towers are won by sending the ball through them', async () => {
	await take('towers', BALL);
	const through = [
		[-5, -5],
		[5, -5],
		[0, 0],
		[-5, 5],
		[5, 5],
	].flatMap(([x = 0, z = 0]): Point3[] => [
		[x - 3, 2, z],
		[x + 3, 2, z],
		[x - 3, 2, z + 0.8],
		[x + 3, 2, z - 0.8],
	]);
	expect(await walk(BALL, 'MouseRight', through)).toBe(1);
});

test('the towers are lost by keeping the ball away', async () => {
	await take('towers', BALL);
	await game.must('POST', '/input/press', { key: 'ArrowLeft', entity_id: BALL, hold: true });
	expect(await wait(3700)).toBe(2);
});

interface Unit {
	readonly id: number;
	readonly team?: number;
	readonly role?: string;
	readonly dead?: boolean;
	readonly health?: readonly [current: number, max: number];
	readonly transform: { readonly position: Point3 };
}

/** A hero on its way to the camp or the ancient of the other side. */
interface March {
	readonly hero: number;
	/**
	 * Point at which the hero waits for soldiers of its team. The goals are the points to which it then goes with them, in
	 * order of x.
	 */
	readonly meet: Point3;
	readonly goals: readonly Point3[];
	/** Point at which it heals. If it is missing, it does not heal. */
	readonly home?: Point3;
	/** True if it uses abilities. */
	readonly casts: boolean;
}

interface MatchEvent {
	readonly type: string;
	readonly tick: number;
	readonly entity: number;
	readonly entity_generation: number;
	readonly points: number;
	readonly team: number | null;
	readonly victim: number | null;
	readonly victim_generation?: number;
	readonly killer: number | null;
	readonly phase: string;
	readonly winner_team: number | null;
}

const groundDistance = ([ax, , az]: Point3, [bx, , bz]: Point3): number => Math.hypot(ax - bx, az - bz);

/**
 * Plays by inputs of steps: follows the soldiers of its team, casts near foes, and goes home when it is weak. Appends the
 * events of the steps to `happened`.
 */
async function march(
	{ hero, meet, goals, home, casts }: March,
	happened: MatchEvent[] = [],
): Promise<number | null> {
	let weak = false;
	for (let tick = 0; tick < MAX_TICKS && (await winner()) === null; tick += OBSERVE_TICKS) {
		const entities = (await game.must('POST', '/observe', {})).entities as Unit[];
		const me = entities.find(({ id }) => id === hero)!;
		const place = me.transform.position;
		const near = (team: number, radius: number) =>
			entities.filter(
				(entity) =>
					entity.team === team &&
					entity.health !== undefined &&
					entity.dead !== true &&
					entity.id !== hero &&
					groundDistance(entity.transform.position, place) < radius,
			);
		const [health, max] = me.health!;
		const share = health / max;
		weak = home !== undefined && share < (weak ? 0.9 : 0.35);
		const soldiers = near(me.team!, 9).filter(({ role }) => role === 'Minion').length;
		const foes = near(3 - me.team!, 4).length;
		const goal = goals.find(([x]) => place[0] < x - 1) ?? goals.at(-1)!;
		const walking = weak
			? { key: 'MouseRight', point: home }
			: { key: 'A', point: soldiers > 0 ? goal : meet };
		const keys = casts
			? [...(share < 0.6 ? ['W'] : []), ...(foes > 1 ? ['Q'] : []), ...(foes > 2 ? ['R'] : [])]
			: [];
		const inputs = [
			...(tick % (2 * OBSERVE_TICKS) === 0 ? [{ at: 0, entity_id: hero, ...walking }] : []),
			...keys.map((key, i) => ({ at: i + 1, entity_id: hero, key })),
		];
		const events = ['death', 'ScoreEvent', 'match'];
		const stepped = await game.must('POST', '/step', { ticks: OBSERVE_TICKS, inputs, events });
		expect(stepped.events).toHaveLength(stepped.event_count as number);
		happened.push(...(stepped.events as MatchEvent[]));
	}
	return winner();
}

const SKIRMISH: March = {
	hero: 1,
	meet: [-6, 1, -12],
	goals: [[24.6, 2, 0]],
	home: [-29, 2, 0],
	casts: true,
};

const SKIRMISH_ANCIENTS = [2, 7];
const ARENA_ANCIENTS = [10, 17];

/** Lowers the health of both ancients, so that the game ends sooner. */
async function weaken(ancients: readonly number[]): Promise<void> {
	for (const id of ancients) await game.must('POST', `/entities/${id}/components`, { health: 500 });
}

/**
 * Games of ten minutes that only `npm run deep` plays. What they prove follows from scene and simulation, whose change the golden
 * traces show.
 */
const testLong = test.skipIf(times(1) === 1);

testLong(
	'the skirmish is won by following the soldiers and casting in time',
	{
		timeout: GAME_TIMEOUT,
	},
	async () => {
		await take('skirmish', SKIRMISH.hero);
		await weaken(SKIRMISH_ANCIENTS);
		expect(await march(SKIRMISH)).toBe(1);
	},
);

testLong('the skirmish is lost by standing in the camp', { timeout: GAME_TIMEOUT }, async () => {
	await take('skirmish', SKIRMISH.hero);
	await weaken(SKIRMISH_ANCIENTS);
	expect(await wait(MAX_TICKS)).toBe(2);
});

const ARENA: March = {
	hero: 13,
	meet: [-7, 0.6, -7],
	goals: [
		[19, 0.6, -7],
		[21, 0.6, 0],
	],
	casts: true,
};

testLong(
	'the arena is won by following the soldiers and casting: each point was an event, and an ancient fell last',
	{
		timeout: GAME_TIMEOUT,
	},
	async () => {
		await take('arena', ARENA.hero);
		await weaken(ARENA_ANCIENTS);
		const ancients = new Map<number, number>();
		for (const id of ARENA_ANCIENTS) ancients.set(id, (await game.entity(id)).team);
		const events: MatchEvent[] = [];
		expect(await march(ARENA, events)).toBe(1);

		const points = new Map<number | null, number>();
		const victims = new Set<string>();
		const killed = new Set<string>();
		for (const event of events) {
			if (event.type === 'ScoreEvent') {
				points.set(event.team, (points.get(event.team) ?? 0) + event.points);
				if (event.victim !== null) victims.add(`${event.victim}:${event.victim_generation} at ${event.tick}`);
			}
			if (event.type === 'DeathEvent' && event.killer !== null)
				killed.add(`${event.entity}:${event.entity_generation} at ${event.tick}`);
		}
		const fallen = events.findLast(({ type, entity }) => type === 'DeathEvent' && ancients.has(entity));
		expect(ancients.get(fallen!.entity)).toBe(2);
		const ended = events.find(({ type, phase }) => type === 'MatchEvent' && phase === 'post_match');
		const state = await game.get('/game/state');
		expect([ended!.winner_team, state.winner.team]).toEqual([1, 1]);
		const scored = new Map<number | null, number>();
		for (const { team, score } of state.scores as { team: number | null; score: number }[])
			scored.set(team, (scored.get(team) ?? 0) + score);
		expect([...points].sort()).toEqual([...scored].sort());
		// Every kill gave a point; heroes, towers and the ancient gave more.
		expect(victims).toEqual(killed);
		expect(killed.size).toBeGreaterThan(20);
		expect([...points.values()].reduce((sum, team) => sum + team, 0)).toBeGreaterThan(killed.size);
	},
);

testLong(
	'the arena is lost by walking among the others without a fight',
	{
		timeout: GAME_TIMEOUT,
	},
	async () => {
		await take('arena', ARENA.hero);
		await weaken(ARENA_ANCIENTS);
		for (let tick = 0; tick < MAX_TICKS && (await winner()) === null; tick += OBSERVE_TICKS) {
			const there = { at: 0, key: 'MouseRight', entity_id: ARENA.hero, point: [12, 0.6, -7] };
			await game.must('POST', '/step', { ticks: OBSERVE_TICKS, inputs: [there] });
		}
		expect(await winner()).toBe(2);
	},
);

const BAKER = 1;

test('the market is won by crying the wares', async () => {
	await take('market', BAKER);
	for (let tick = 0; tick < MAX_TICKS && (await winner()) === null; tick += OBSERVE_TICKS)
		await game.must('POST', '/step', {
			ticks: OBSERVE_TICKS,
			inputs: [{ at: 0, key: 'Q', entity_id: BAKER }],
		});
	expect(await winner()).toBe(1);
});

test('the market is lost by silence', async () => {
	await take('market', BAKER);
	expect(await wait(MAX_TICKS)).not.toBe(1);
	expect(await winner()).not.toBeNull();
});

test.each([
	['towers', 'send_ball', { to: [-5, 2, -5] }],
	['arena', 'send_hero', { hero: 13, to: [-7, 0.6, -7], ticks: 30 }],
	['market', 'cry_wares', {}],
	['market', 'wait', { ticks: 20 }],
])('%s is played with its action %s', async (name, action, parameters) => {
	game = testEngine(await openScene(name, 1));
	const listed = (await game.get('/action/list')).actions.map((action: { name: string }) => action.name);
	expect(listed).toContain(action);
	const done = await game.must('POST', `/action/${action}`, { parameters });
	expect(done.results).toContainEqual({ ok: true, body: ['playing', null, expect.any(Number)] });
});

interface SolidEntity {
	readonly physics_body?: string;
	readonly local_transform: { readonly position: Point3 };
	readonly collider?: { readonly radius?: number; readonly hx?: number; readonly hz?: number };
}

test.each<[string, number, readonly Point3[]]>([
	[
		'arena',
		ARENA.hero,
		[
			[-13.5, 0.6, -11.5],
			[-5.5, 0.6, -9.5],
			[4, 0.6, -7],
			[-22.5, 0.6, 0],
		],
	],
	[
		'market',
		BAKER,
		[
			[-7, 0.6, -2.4],
			[-12, 0.6, -4],
			[0, 0.6, 2.8],
			[0, 0.6, -7],
			[10, 0.6, -9.3],
		],
	],
])('the hero of %s does not walk through solid entities', async (name, hero, places) => {
	await take(name, hero);
	const { entities } = await game.must('POST', '/observe', {});
	const solids = (entities as SolidEntity[]).flatMap(({ physics_body, collider, local_transform }) => {
		if (physics_body !== 'Static' || collider === undefined) return [];
		const { radius = 0, hx = radius, hz = radius } = collider;
		// Large solids are bridges, which can be walked on.
		return hx > 2 ? [] : [{ at: local_transform.position, hx, hz }];
	});
	expect(solids.length).toBeGreaterThan(8);
	const start = await game.position(hero);
	let maxDistance = 0;
	const checkPosition = async () => {
		const [x, , z] = await game.position(hero);
		maxDistance = Math.max(maxDistance, Math.hypot(x! - start[0]!, z! - start[2]!));
		for (const { at, hx, hz } of solids)
			expect(Math.max(Math.abs(x! - at[0]) - hx, Math.abs(z! - at[2]) - hz)).toBeGreaterThan(0);
	};
	for (const point of places) {
		await game.must('POST', '/input/press', { key: 'MouseRight', entity_id: hero, point });
		for (let tick = 0; tick < 300; tick += 10) {
			await game.step(10);
			await checkPosition();
		}
	}
	for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
		await game.must('POST', '/input/press', { key, entity_id: hero, hold: true });
		for (let tick = 0; tick < 120; tick += 10) {
			await game.step(10);
			await checkPosition();
		}
		await game.must('POST', '/input/release', { key, entity_id: hero });
	}
	expect(maxDistance).toBeGreaterThan(10);
});
