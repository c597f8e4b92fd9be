/** Handlers of the tag Terrain. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Input } from '../../shared/contract/route.ts';
import { flatGround, type PaintLayer, type SurfacePoint } from '../../shared/media/terrain.ts';
import * as routes from '../../shared/routes/terrain.ts';
import { entityAt, handleOf } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { get, type World } from '../sim/core/world.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import {
	addHills,
	applyStroke,
	type EditResult,
	setHeights,
	type TerrainStroke,
} from '../sim/terrain/edit.ts';
import { heightRange, heightRows, sizeOf } from '../sim/terrain/ground.ts';
import {
	requirePoints,
	requireTerrain,
	setGround,
	surfaceOf,
	type TerrainEntity,
	terrains,
	toTerrainPosition,
} from '../sim/terrain/terrain.ts';
import { handler } from './handler.ts';

interface TerrainSelection {
	readonly entity_id?: number | null | undefined;
	readonly entity_generation?: number | null | undefined;
}

const selectedTerrain = (world: World, { entity_id, entity_generation }: TerrainSelection): TerrainEntity =>
	requireTerrain(world, entity_id == null ? null : entityAt(world, entity_id, entity_generation));

const heightFields = ({ ground }: TerrainEntity) => {
	const { lowest, highest } = heightRange(ground);
	return { lowest: shortestFloat32(lowest), highest: shortestFloat32(highest) };
};

function summaryOf(world: World, terrain: TerrainEntity) {
	const { id, ground } = terrain;
	const [world_width, world_depth] = sizeOf(ground);
	const [x, y, z] = get(world, id, LocalTransform)!.position;
	return {
		entity_id: id,
		entity_generation: handleOf(world, id).generation,
		width: ground.width,
		height: ground.height,
		cell_size: ground.cell_size,
		world_width,
		world_depth,
		position: [shortestFloat32(x), shortestFloat32(y), shortestFloat32(z)] as [number, number, number],
		...heightFields(terrain),
	};
}

const pointView = (found: SurfacePoint | null) => ({
	height: found && shortestFloat32(Math.fround(found.height)),
	normal: found && ([...found.normal] as [number, number, number]),
});

const throwMissingField = (op: string, field: string, example: string): never => {
	throw new ApiError('bad_stroke', `${op} needs "${field}".`, {
		fix: `Send "${field}": ${example}.`,
		path: field,
	});
};

/** Returns an edited copy of a terrain's ground. */
function editGround(
	world: World,
	{ id, ground }: TerrainEntity,
	body: Input<typeof routes.editTerrain>['body'],
): EditResult {
	const { op, amount, radius, heights, layer } = body;
	const [x, z] = body.space === 'world' ? toTerrainPosition(world, id, body.x, body.z) : [body.x, body.z];
	const hills = { seed: body.seed, scale: body.scale, octaves: body.octaves };
	if (op === 'set')
		return setHeights(ground, heights ?? throwMissingField(op, 'heights', '[[1, 2], [2, 3]]'), { x, z });
	if (op === 'noise' && body.all) return addHills(ground, hills, amount);
	const stroke: TerrainStroke =
		op === 'paint'
			? { op, amount, layer: (layer ?? throwMissingField(op, 'layer', '"sand"')) as PaintLayer }
			: op === 'flatten'
				? { op, amount, height: body.height ?? null }
				: op === 'noise'
					? { op, amount, hills }
					: { op, amount };
	return applyStroke(ground, { x, z, radius }, stroke);
}

export const handlers = [
	handler(routes.createTerrain, ({ world }, { body }) => {
		const { heights, noise, centered } = body;
		const width = body.width ?? heights?.[0]?.length ?? 64;
		const height = body.height ?? heights?.length ?? 64;
		if (width < 2 || height < 2)
			throw new ApiError('bad_stroke', 'A terrain has at least 2 x 2 points.', {
				fix: 'Send at least two rows of two heights.',
				path: 'heights',
			});
		requirePoints(world, width, height);
		let ground = flatGround(width, height, body.cell_size);
		if (heights != null) ground = setHeights(ground, heights, { x: 0, z: 0 }).ground;
		if (noise != null) ground = addHills(ground, noise, noise.amount).ground;
		const [x, y, z] = body.position ?? [0, 0, 0];
		const [terrainWidth, terrainDepth] = centered ? sizeOf(ground) : [0, 0];
		const { handle } = spawnEntity(world, {
			position: [x - terrainWidth / 2, y, z - terrainDepth / 2],
			terrain: ground,
		});
		return summaryOf(world, { id: handle.id, ground });
	}),

	handler(routes.editTerrain, ({ world }, { body }) => {
		const terrain = selectedTerrain(world, body);
		const { id } = terrain;
		const { ground, points, chunks } = editGround(world, terrain, body);
		if (points > 0) setGround(world, id, ground);
		return {
			message: `Changed ${points} points of terrain ${id}.`,
			entity_id: id,
			changed: points,
			chunks,
			...heightFields({ id, ground }),
		};
	}),

	handler(routes.terrainHeight, ({ world }, { query }) => {
		const terrain = selectedTerrain(world, query);
		return { entity_id: terrain.id, ...pointView(surfaceOf(world, terrain, query.space, query.x, query.z)) };
	}),

	handler(routes.terrainHeights, ({ world }, { body }) => {
		const terrain = selectedTerrain(world, body);
		const pointViews = body.points.map(([x, z]) => pointView(surfaceOf(world, terrain, body.space, x, z)));
		return {
			entity_id: terrain.id,
			heights: pointViews.map(({ height }) => height),
			normals: pointViews.map(({ normal }) => normal),
			count: pointViews.length,
		};
	}),

	handler(routes.readTerrain, ({ world }, { query }) => {
		const terrain = selectedTerrain(world, query);
		return {
			...summaryOf(world, terrain),
			heights: heightRows(terrain.ground).map((row) => Array.from(row, shortestFloat32)),
		};
	}),

	handler(routes.listTerrains, ({ world }) => {
		const summaries = terrains(world).map((terrain) => summaryOf(world, terrain));
		return { terrains: summaries, count: summaries.length };
	}),
];
