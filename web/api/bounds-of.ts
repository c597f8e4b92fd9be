/** Sizes of entities as they are drawn. Owns: the reading of the boxes of meshes, if necessary from files. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../shared/components/mesh.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { get, has, type World } from '../sim/core/world.ts';
import { type Ball, ballOf, type ShapeBox, UNIT_BOX } from '../sim/models/ball.ts';
import { modelOf } from '../sim/models/model.ts';
import type { Host } from './context.ts';

const EMPTY_BOX: ShapeBox = { low: [0, 0, 0], high: [0, 0, 0] };

/** Returns the bounding ball of an entity; a ball of radius 0 if it has no position. */
export async function boundingBallOf({ assets }: Host, world: World, id: number): Promise<Ball> {
	if (!has(world, id, LocalTransform)) return { point: [0, 0, 0], radius: 0 };
	return ballOf(world, id, await boxOf(assets, get(world, id, Mesh)?.mesh));
}

/** Returns the box of a mesh; an empty box without a mesh. */
export async function boxOf(assets: Host['assets'], mesh: string | undefined): Promise<ShapeBox> {
	if (mesh === undefined) return EMPTY_BOX;
	if (!isMeshFile(mesh)) return UNIT_BOX;
	try {
		return modelOf((await assets.load(mesh)).bytes, mesh);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return UNIT_BOX;
	}
}
