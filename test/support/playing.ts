/**
 * An engine for each test of a file, and short ways to play it.
 * Owns: what tests of rules say over and over: spawn, step, read back.
 */

import { afterEach, beforeEach, expect } from 'vitest';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import { type Answer, call } from './play.ts';

type Body = Answer['body'];

/** An action that shows in the purse that somebody was meant. */
export const pay = (target: unknown = 'this', value = 1) => ({
	action: 'add_field',
	target,
	field: 'gold',
	value,
});

/** A fighter of a team with 100 HP, on the x axis. */
export const fighter = (team: number, x: number, more: object = {}) => ({
	position: [x, 0, 0],
	team,
	health: 100,
	combat: true,
	...more,
});

/** Each test of the file that calls this gets an engine of its own; the calls answer with bodies unless they say otherwise. */
export function playing(settings: EngineSettings = { seed: 7 }) {
	let engine: Engine;
	beforeEach(async () => {
		engine = await createEngine(settings);
	});
	afterEach(() => engine.close());

	const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
		call(engine, method, path, body);
	const post = async (path: string, body: unknown = {}): Promise<Body> =>
		(await ask('POST', path, body)).body;
	const get = async (path: string): Promise<Body> => (await ask('GET', path)).body;
	const entity = (id: number): Promise<Body> => get(`/entities/${id}`);

	const step = (ticks = 1): Promise<Body> => post('/step', { ticks });
	const gold = async (id: number): Promise<number> => (await entity(id)).gold;

	return {
		engine: () => engine,
		world: () => engine.worlds.main.world,
		/** A call with status and body. */
		ask,
		post,
		get,
		remove: async (path: string): Promise<Body> => (await ask('DELETE', path)).body,
		/** Spawns a document; its id. */
		spawn: async (document: object = {}): Promise<number> => {
			const { id, ...answer } = await post('/spawn', document);
			expect(typeof id, JSON.stringify(answer)).toBe('number');
			return id;
		},
		/** Makes a rule; its id. */
		rule: async (document: object): Promise<number> => {
			const answer = await post('/rule/create', document);
			expect(answer.ok, JSON.stringify(answer)).toBe(true);
			return answer.rule_id;
		},
		step,
		/** Damage that nothing survives, on the next tick. */
		kill: (id: number, source?: number) => post('/entity/damage', { entity_id: id, amount: 1e6, source }),
		change: (id: number, components: object) => post(`/entities/${id}/components`, components),
		entity,
		health: async (id: number): Promise<number> => (await entity(id)).health[0],
		gold,
		/** Gold of an entity after each of some ticks. */
		ledger: async (id: number, ticks: number): Promise<number[]> => {
			const amounts: number[] = [];
			for (let i = 0; i < ticks; i++) {
				await step();
				amounts.push(await gold(id));
			}
			return amounts;
		},
		/** Where it is now. */
		place: async (id: number): Promise<number[]> => (await entity(id)).local_transform.position,
		/** Types and fields of the events that can be read now. */
		events: async (): Promise<Body[]> => (await get('/events')).events,
		digest: async (world = 'main'): Promise<string> => (await get(`/digest?world=${world}`)).state_digest,
	};
}
