/** Everything of a world that the view draws. A new block is one file here, this line, and what draws it in web/render/sync. */

import { camera } from './camera.ts';
import { dead } from './dead.ts';
import { health } from './health.ts';
import { hud } from './hud.ts';
import { lights } from './lights.ts';
import { materials } from './materials.ts';
import { poses } from './poses.ts';
import { rows } from './rows.ts';
import { fog, sky } from './sky.ts';

export const drawn = { rows, poses, health, dead, camera, hud, materials, lights, sky, fog };

export type BlockName = keyof typeof drawn;

/** The blocks of a frame by their names. */
export type FrameBlocks = { readonly [Name in BlockName]: ReturnType<(typeof drawn)[Name]['read']> };
