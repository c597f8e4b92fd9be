/** Adding a level to a world: its entities, camera and match settings. */

import type * as z from 'zod';
import { Fault } from '../../../shared/contract/errors.ts';
import type { levelDocument } from '../../../shared/routes/scenes.ts';
import { moveCamera } from '../camera/camera.ts';
import { setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';
import { spawnEntity } from '../spawn/spawn-entity.ts';
import { Match } from './match-settings.ts';

export type LevelDocument = z.output<typeof levelDocument>;

/** Adds a level; how many entities it made, and what of it does nothing. May throw halfway: give it a clone. */
export function applyLevel(world: World, level: LevelDocument): { created: number; warnings: string[] } {
	const warnings: string[] = [];
	const entities = level.entities ?? [];
	entities.forEach((document, index) => {
		try {
			const spawned = spawnEntity(world, document);
			warnings.push(...spawned.warnings.map((warning) => `entities[${index}]: ${warning}`));
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
			throw new Fault('invalid_level', `entities[${index}]: ${error.message}`, {
				fix: error.fix,
				path: `entities[${index}]`,
			});
		}
	});
	const { camera, game } = level;
	if (camera != null)
		moveCamera(world, {
			...(camera.eye != null ? { eye: camera.eye } : {}),
			...(camera.target != null ? { target: camera.target } : {}),
			...(camera.fov_y != null ? { fov_y: camera.fov_y } : {}),
		});
	if (game != null) setResource(world, Match, game);
	const rules = level.rules?.length ?? 0;
	if (rules > 0) warnings.push(`${rules} rules were left out: this version does not run rules`);
	return { created: entities.length, warnings };
}
