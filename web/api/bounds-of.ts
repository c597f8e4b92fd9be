/** How large an entity is as it is drawn. Owns: the ball round its mesh, in the world, for cameras that are to show all of it. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../shared/components/mesh.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Host } from '../host/context.ts';
import { get, has, type World } from '../sim/core/world.ts';
import { moved, placed } from '../sim/models/matrix.ts';
import { modelOf } from '../sim/models/model.ts';
import { posesNow } from '../sim/transform/poses-now.ts';

type Vec3 = readonly [number, number, number];

export interface Ball {
	readonly point: Vec3;
	/** Metres. */
	readonly radius: number;
}

interface Box {
	readonly low: Vec3;
	readonly high: Vec3;
}

/** Also what stands in for a model that is not there. */
const UNIT: Box = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };
const NOTHING: Box = { low: [0, 0, 0], high: [0, 0, 0] };

/** The ball round an entity; one of no size where it is not drawn. */
export async function ballRound({ assets }: Host, world: World, id: number): Promise<Ball> {
	if (!has(world, id, LocalTransform)) return { point: [0, 0, 0], radius: 0 };
	const { position, rotation, scale } = posesNow(world);
	const at = (column: ArrayLike<number>, width: number) =>
		Array.from({ length: width }, (_, i) => column[id * width + i]!);
	const size = at(scale, 3);
	const matrix = placed({ translation: at(position, 3), rotation: at(rotation, 4), scale: size });
	const { low, high } = await boxOf(assets, get(world, id, Mesh)?.mesh);
	const point = moved(
		matrix,
		...([0, 1, 2].map((axis) => (low[axis]! + high[axis]!) / 2) as unknown as Vec3),
	);
	const half = size.map((part, axis) => (Math.abs(part) * (high[axis]! - low[axis]!)) / 2);
	return { point, radius: Math.hypot(...half) };
}

async function boxOf(assets: Host['assets'], mesh: string | undefined): Promise<Box> {
	if (mesh === undefined) return NOTHING;
	if (!isMeshFile(mesh)) return UNIT;
	try {
		return modelOf((await assets.load(mesh)).bytes, mesh);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return UNIT;
	}
}
