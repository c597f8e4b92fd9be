/**
 * Targets of a person's orders: an entity to attack, or a place on the ground.
 * Owns: the height of the ground, if the picture does not have it.
 */

import type { AimPoint } from '../../input/hands.ts';
import { ask } from '../state/ask.ts';
import type { GroundPlace } from './map-points.ts';
import type { Play, PlayServices } from './play-state.ts';

/** Returns the target under the pointer. Ground without a terrain is at the height of the played entity. */
export async function aimAt(
	{ services }: Pick<PlayServices, 'services'>,
	play: Play,
	x: number,
	y: number,
): Promise<AimPoint> {
	const entity = play.mine.peek();
	const view = services.view.peek();
	if (entity === null || view === null) return {};
	const { hit, point } = await view.aim(x, y, entity.transform?.position[1] ?? 0);
	const ground = point === null ? {} : { point };
	const target = play.game.entities.peek().find(({ id }) => id === hit?.id);
	const isFoe = target?.health !== undefined && target.team !== entity.team && target.dead !== true;
	if (hit === null || !isFoe) return ground;
	return { target_id: hit.id, target_generation: hit.generation, ...ground };
}

/** Returns a place on the ground with the height of the terrain, or else of the played entity. */
export async function aimAtGround(
	{ services, worlds }: Pick<PlayServices, 'services' | 'worlds'>,
	play: Play,
	[x, z]: GroundPlace,
): Promise<AimPoint> {
	const world = worlds.selected.peek();
	const query = { x, z, space: 'world' } as const;
	const ground = await ask(services, 'GET', '/terrain/height', { world, query, on: 'panels' });
	const height = ground.ok ? ground.body.height : null;
	return { point: [x, height ?? play.mine.peek()?.transform?.position[1] ?? 0, z] };
}
