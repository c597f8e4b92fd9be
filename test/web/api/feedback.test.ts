/** Feedback of play in pictures, as data: settings, and moments that follow from events and the tick. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_FEEDBACK, MOMENT_TICKS, type MomentKind } from '../../../shared/documents/feedback.ts';
import { visitParticles } from '../../../shared/media/particles.ts';
import { blocksOf, frameOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const PATH = '/feedback/settings';
const step = (ticks: number, world = 'main') => started.must('POST', `/step?world=${world}`, { ticks });
const worldOf = (id: string) =>
	id === 'main' ? started.engine.worlds.main.world : started.engine.worlds.fork(id).world;
const momentsIn = (id = 'main') => {
	const { feedback, particles } = blocksOf(worldOf(id));
	return { feedback, particles };
};
const kinds = () => momentsIn().feedback.moments.map(({ kind }): MomentKind => kind);

/** Particles that a picture of now has of what no entity emits. */
function bursting(): number {
	const { tick, emitters } = momentsIn().particles;
	let found = 0;
	for (const { id, emitter, run } of emitters) if (id < 0) visitParticles(emitter, run, tick, () => found++);
	return found;
}

test('no feedback is shown by default, fields change one by one, and the digest never', async () => {
	const { must, digest, spawn, engine } = started;
	const id = await spawn({ mesh: 'cube', health: 100 });
	expect(await must('GET', PATH)).toEqual({ ok: true, ...DEFAULT_FEEDBACK, enabled: false });
	await must('POST', '/entity/damage', { entity_id: id, amount: 10 });
	await step(1);
	const { versions } = frameOf(engine.worlds.main);
	expect(kinds()).toEqual([]);
	await must('POST', '/fork', { fork_id: 'plain' });
	expect(await must('POST', PATH, {})).toEqual({ ok: true, ...DEFAULT_FEEDBACK });
	expect(await must('POST', PATH, { numbers: false, flashes: null })).toMatchObject({
		enabled: true,
		flashes: true,
		numbers: false,
	});
	for (const world of ['main', 'plain']) {
		await must('POST', `/entity/damage?world=${world}`, { entity_id: id, amount: 10 });
		await step(5, world);
	}
	expect(await digest()).toBe((await must('GET', '/digest?world=plain')).state_digest);
	expect(frameOf(engine.worlds.main, versions).blocks.feedback).toMatchObject({ tick: 6 });
	expect(kinds()).toEqual(['hurt']);
	expect(await must('POST', PATH, { sounds: true })).toMatchObject({ numbers: false, sounds: true });
	await must('POST', PATH, { enabled: false });
	expect(kinds()).toEqual([]);
	await must('POST', PATH, { enabled: null });
	expect(await must('GET', PATH)).toEqual({ ok: true, ...DEFAULT_FEEDBACK, enabled: false });
});

test('injury, death, spawn and level-up are shown for a number of ticks', async () => {
	const { must, spawn } = started;
	await must('POST', PATH, {});
	const one = await spawn({ mesh: 'cube', health: 100, team: 2, color: 'gold', position: [1, 2, 3] });
	const two = await spawn({ mesh: 'sphere', health: 10, team: 1, scale: [2, 2, 2] });
	await must('POST', '/rule/create', { when: 'tick:3', once: true, do: ['spawn cube 4,0,0'] });
	await must('POST', '/entity/damage', { entity_id: one, amount: 30 });
	await must('POST', '/entity/damage', { entity_id: two, amount: 30 });
	await step(1);
	const [hurt, , death] = momentsIn().feedback.moments;
	expect(hurt).toMatchObject({
		kind: 'hurt',
		tick: 1,
		entity: { id: one },
		place: [1, 2, 3],
		amount: 30,
		team: 2,
		color: 'gold',
		shooter: null,
	});
	expect(hurt!.share).toBeCloseTo(0.3, 5);
	expect(death).toMatchObject({ kind: 'death', entity: { id: two }, size: 2 });
	expect(bursting()).toBeGreaterThan(20);
	await step(4);
	expect(kinds()).toContain('appear');
	await step(MOMENT_TICKS.death + 5);
	expect(kinds()).toEqual([]);
	expect(bursting()).toBe(0);
	expect(momentsIn().particles).toBe(momentsIn().particles);
});

test('the number shown is the damage after armour', async () => {
	const { must, spawn } = started;
	await must('POST', PATH, {});
	const id = await spawn({ mesh: 'cube', health: 100, armor: 20 });
	await must('POST', '/entity/damage', { entity_id: id, amount: 40 });
	await step(2);
	const { entities } = await must('POST', '/observe', { filter: `entity:${id}` });
	const [current] = (entities as { health: [number, number] }[])[0]!.health;
	expect(momentsIn().feedback.moments[0]!.amount).toBeCloseTo(100 - current, 3);
	expect(current).toBeGreaterThan(60);
});

test('a fork, a snapshot and an exact save show the same feedback; a scenario has the settings alone', async () => {
	const { must, get, spawn } = started;
	await must('POST', PATH, { trails: false });
	const id = await spawn({ mesh: 'cube', health: 100 });
	await must('POST', '/entity/damage', { entity_id: id, amount: 10 });
	await step(3);
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/fork', { fork_id: 'plan' });
	await step(5);
	await step(5, 'plan');
	expect(momentsIn('plan')).toEqual(momentsIn());
	expect(momentsIn().feedback.moments).toHaveLength(1);
	const diff = await get('/snapshot/diff?from=a&to=a');
	expect(diff.resources).toEqual([]);
	const exact = await must('GET', '/scenario?exact=true');
	const plain = await must('GET', '/scenario?exact=false');
	expect(Object.keys(plain.resources as object)).toEqual(['feedback']);
	const before = momentsIn();
	await must('POST', '/reset', { fresh: true });
	expect(await get(PATH)).toMatchObject({ enabled: false });
	await must('POST', '/scenario', exact);
	expect(momentsIn()).toEqual(before);
	await must('POST', '/reset', { fresh: true });
	await must('POST', '/scenario', plain);
	expect(await get(PATH)).toMatchObject({ enabled: true, trails: false });
	expect(kinds()).toEqual([]);
	await must('POST', '/snapshot/a/restore');
	await step(5);
	expect(momentsIn().feedback.moments).toEqual(before.feedback.moments);
});

test('a ranged attack shoots a light, a projectile leaves one behind it, and its hit shows no second', async () => {
	const { must, spawn } = started;
	await must('POST', PATH, { bursts: false });
	const target = await spawn({ mesh: 'cube', health: 500, team: 2, position: [6, 0, 0] });
	const archer = await spawn({
		mesh: 'cone',
		health: 100,
		team: 1,
		combat: true,
		combat_range: 9,
		combat_damage: 5,
		combat_speed: 0,
	});
	let ticks = 0;
	while (kinds().length === 0 && ticks++ < 120) await step(1);
	const [moment] = momentsIn().feedback.moments;
	expect(moment).toMatchObject({
		kind: 'hurt',
		entity: { id: target },
		shooter: { team: 1, place: [0, 0, 0] },
	});
	expect(bursting()).toBeGreaterThan(0);
	await must('POST', '/despawn', { entity_id: archer });
	await step(60);
	expect(bursting()).toBe(0);
	await must('POST', '/projectile/spawn', {
		from: [0, 0, 0],
		direction: [1, 0, 0],
		speed: 20,
		damage: 7,
	});
	await step(6);
	const trail = momentsIn().particles.emitters;
	expect(trail).toHaveLength(1);
	expect(trail[0]!.velocity).toEqual([20, 0, 0]);
	expect(bursting()).toBeGreaterThan(5);
	await step(20);
	expect(momentsIn().feedback.moments.at(-1)).toMatchObject({ amount: 7, shooter: null });
	expect(momentsIn().particles.emitters).toEqual([]);
});

test('invalid settings are refused and change nothing', async () => {
	const { post, bytes } = started;
	const before = bytes();
	for (const body of [{ flash: true }, { flashes: 1 }, { enabled: 'yes' }])
		expect(await post(PATH, body)).toMatchObject({ code: 'invalid_body', fix: expect.any(String) });
	expect(bytes()).toBe(before);
});
