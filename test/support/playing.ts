/**
 * An engine for each test of a file, and documents that many tests use.
 */

import { afterEach, beforeEach } from 'vitest';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import { clientOf, HEAVY } from './engine.ts';

/** Returns an action that adds gold to a target, so that a test can see which entities it affected. */
export const pay = (target: unknown = 'this', value = 1) => ({
	action: 'add_field',
	target,
	field: 'gold',
	value,
});

/** Returns a fighter of a team with 100 HP, on the x axis. */
export const fighter = (team: number, x: number, more: object = {}) => ({
	position: [x, 0, 0],
	team,
	health: 100,
	combat: true,
	...more,
});

/** Gives each test of the file its own engine. Returns a client for it. */
export function playing(settings: EngineSettings = { seed: 7 }) {
	let engine: Engine;
	beforeEach(async () => {
		engine = await createEngine({ ...HEAVY, ...settings });
	});
	afterEach(() => engine.close());
	return {
		...clientOf((request) => engine.handle(request)),
		engine: () => engine,
		world: () => engine.worlds.main.world,
	};
}
