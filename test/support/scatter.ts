/** Random worlds from a seed, built by calls. The same seed gives the same world. */

import type { Engine } from '../../web/host/engine.ts';
import { clientOf } from './engine.ts';

/** Returns a generator of random numbers from 0 to 1: Mulberry32 (Tommy Ettinger, public domain). */
export function numbers(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Fills a world with fighters, falling bodies, patrols, children, rules, assertions and a match, and lets some time pass. */
export async function scatter(engine: Engine, seed: number, world = 'main'): Promise<void> {
	const next = numbers(seed);
	const post = (path: string, body: unknown) =>
		clientOf(engine.handle).call('POST', `${path}?world=${world}`, body);
	const place = () => [next() * 20 - 10, next() * 5, next() * 20 - 10];
	await post('/spawn', { spawn_point: 1, position: [-8, 0, 0] });
	await post('/spawn', { spawn_point: 2, position: [8, 0, 0] });
	await post('/spawn', {
		mesh: 'plane',
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx: 20, hy: 0.1, hz: 20 },
	});
	const count = 6 + Math.floor(next() * 12);
	const ids: number[] = [];
	for (let i = 0; i < count; i++) {
		const kind = Math.floor(next() * 4);
		const common = {
			position: place(),
			tags: [pick(next, ['a', 'b', 'c'])],
			color: pick(next, ['red', '0.1,0.2,0.3']),
		};
		const document =
			kind === 0
				? {
						...common,
						health: 20 + next() * 100,
						team: 1 + Math.floor(next() * 2),
						combat: true,
						role: 'minion',
						gold: 3,
						gold_bounty: 5,
					}
				: kind === 1
					? {
							...common,
							mesh: 'cube',
							physics_body: 'Dynamic',
							collider: { shape: 'Sphere', radius: 0.3 + next() },
						}
					: kind === 2
						? { ...common, ai_patrol: [place(), place()], scale: [1, next() + 0.5, 1] }
						: {
								...common,
								rotation: [next(), next(), next(), 1],
								parent: ids.length > 0 ? pick(next, ids) : undefined,
							};
		ids.push((await post('/spawn', document)).body.id);
	}
	await post('/rule/create', { when: 'death', filter: 'team:2', actions: ['score source +1'] });
	await post('/rule/create', {
		name: 'dice',
		when: { kind: 'tick', every: 7 },
		outcomes: [
			{
				label: 'hit',
				weight: '1/4',
				do: [{ action: 'add_field', target: { tag: 'a' }, field: 'local_transform.position.y', value: 0.25 }],
			},
			{ label: 'miss', weight: '3/4' },
		],
	});
	await post('/assert/create', { name: 'alive', condition: 'alive', filter: 'team:1' });
	await post('/template/create', { name: 'soldier', health: 100, team: 1, combat: true });
	await post('/game/create', { score_limit: 5 });
	await post('/step', { ticks: 20 + Math.floor(next() * 60) });
	await post('/despawn', { entity_id: ids[1], entity_generation: 0 });
	await post('/assert/evaluate', {});
	await post('/entity/damage', { entity_id: ids[0], amount: 1 });
}
