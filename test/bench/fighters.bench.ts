/**
 * How long a tick of many fighters takes: armies that march at each other, meet and fight.
 * Owns: the armies. Run it by itself, or call `benchFighters` from another script.
 */

import { performance } from 'node:perf_hooks';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { loadPhysics } from '../../web/sim/physics/rapier.ts';
import { spawnEntity } from '../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../web/sim/step.ts';

export interface FightersResult {
	readonly fighters: number;
	/** Milliseconds of a tick: mean, median and worst. */
	readonly mean: number;
	readonly median: number;
	readonly worst: number;
}

/** Two armies in rows 1.2 m apart, `gap` metres between them; team 1 walks along +x. */
export function armies(fighters: number, gap: number): World {
	const world = createWorld({ seed: 1 });
	const rows = Math.ceil(Math.sqrt(fighters / 2));
	for (let i = 0; i < fighters; i++) {
		const team = 1 + (i % 2);
		const place = i >> 1;
		const away = gap / 2 + Math.floor(place / rows) * 1.2;
		const position: [number, number, number] = [team === 1 ? -away : away, 0, (place % rows) * 1.2];
		spawnEntity(world, { position, health: 1e6, team, combat: true, physics_body: 'Kinematic' });
	}
	return world;
}

/** A crowd in which everybody has an enemy within reach from the start. */
export function melee(fighters: number): World {
	const world = createWorld({ seed: 1 });
	const rows = Math.ceil(Math.sqrt(fighters));
	for (let i = 0; i < fighters; i++) {
		const [row, column] = [Math.floor(i / rows), i % rows];
		const position: [number, number, number] = [row * 1.2, 0, column * 1.2];
		spawnEntity(world, { position, health: 1e6, team: 1 + ((row + column) % 2), combat: true });
	}
	return world;
}

/** Steps a world and says how long its ticks took. */
export function benchFighters(world: World, ticks: number): FightersResult {
	const times: number[] = [];
	for (let i = 0; i < ticks; i++) {
		const started = performance.now();
		step(world);
		times.push(performance.now() - started);
	}
	const sorted = times.toSorted((a, b) => a - b);
	return {
		fighters: world.entities.count,
		mean: times.reduce((sum, time) => sum + time, 0) / ticks,
		median: sorted[ticks >> 1]!,
		worst: sorted[ticks - 1]!,
	};
}

if (process.argv[1] === import.meta.filename) {
	await loadPhysics();
	const show = (name: string, { fighters, mean, median, worst }: FightersResult) =>
		console.log(
			`${name} ${fighters}: mean ${mean.toFixed(4)} ms, median ${median.toFixed(4)} ms, worst ${worst.toFixed(3)} ms, ${Math.round(1000 / mean)} ticks/s`,
		);
	show('warm-up', benchFighters(melee(200), 600));
	show('melee', benchFighters(melee(10_000), 240));
	show('armies', benchFighters(armies(10_000, 10), 400));
	show('melee', benchFighters(melee(1_000), 600));
	show('armies', benchFighters(armies(1_000, 10), 600));
	show('armies', benchFighters(armies(10, 4), 60_000));
}
