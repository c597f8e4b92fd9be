/**
 * List of all blocks of a frame. A new block needs a file in this folder, an entry here, and a file in web/render/sync that draws
 * it.
 */

import { animations } from './animations.ts';
import { camera } from './camera.ts';
import { dead } from './dead.ts';
import { decals } from './decals.ts';
import { feedback } from './feedback.ts';
import { foliage, tick } from './foliage.ts';
import { health } from './health.ts';
import { hud } from './hud.ts';
import { lights } from './lights.ts';
import { materials } from './materials.ts';
import { models } from './models.ts';
import { navmesh, paths } from './navigation.ts';
import { particles } from './particles.ts';
import { poses } from './poses.ts';
import { post } from './post.ts';
import { rows } from './rows.ts';
import { fog, sky } from './sky.ts';
import { sound } from './sound.ts';
import { terrains } from './terrains.ts';
import { waters } from './waters.ts';

export const drawn = {
	rows,
	poses,
	health,
	dead,
	camera,
	hud,
	models,
	animations,
	materials,
	lights,
	sky,
	fog,
	terrains,
	waters,
	decals,
	post,
	feedback,
	foliage,
	tick,
	particles,
	sound,
	navmesh,
	paths,
};

export type BlockName = keyof typeof drawn;

/** The blocks of a frame by their names. */
export type FrameBlocks = { readonly [Name in BlockName]: ReturnType<(typeof drawn)[Name]['read']> };
