/**
 * Models of drawn entities and of layers of foliage: the asset and the size of each.
 * Owns: the lookup of their names.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { isMeshFile, Mesh } from '../../../shared/components/mesh.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Vector } from '../../../shared/contract/vector.ts';
import type { FoliageLayer } from '../../../shared/documents/foliage.ts';
import { each, read, versionOf, type World } from '../../sim/core/world.ts';
import { foliageOf } from '../../sim/foliage/foliage.ts';
import { findModel, type ModelLight } from '../../sim/models/model.ts';
import type { Assets } from '../../store/assets.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export interface FrameModel {
	/** SHA-256 of its bytes. */
	readonly hash: string;
	/** Corners of its bounding box at rest, in metres from the origin of an unscaled entity. */
	readonly low: Vector;
	readonly high: Vector;
	readonly lights: readonly ModelLight[];
}

/** Models by mesh name. Names without a model are missing. */
export type FrameModels = Readonly<Record<string, FrameModel>>;

interface ModelMemo {
	readonly meshes: number;
	readonly layers: readonly FoliageLayer[];
	readonly moves: number;
	readonly names: readonly string[];
	readonly value: FrameModels;
}

const cache = new WeakMap<World, ModelMemo>();

/** Returns the sorted names of mesh files of drawn entities and of foliage. */
function filesOf(world: World): string[] {
	const found = new Set<string>();
	const mesh = read(world, Mesh, 'mesh');
	each(world, [Mesh, LocalTransform], (slot) => {
		const name = mesh[slot]!;
		if (isMeshFile(name)) found.add(name);
	});
	for (const { mesh } of foliageOf(world)) if (isMeshFile(mesh)) found.add(mesh);
	return [...found].sort();
}

function look(world: World): ModelMemo {
	const meshes = versionOf(world, Mesh, 'mesh');
	const { moves } = world.assets;
	const layers = foliageOf(world);
	const before = cache.get(world);
	const named = before?.meshes === meshes && before.layers === layers;
	if (before !== undefined && named && before.moves === moves) return before;
	const names = before !== undefined && named ? before.names : filesOf(world);
	const found = Object.fromEntries(names.flatMap((name) => modelAt(world, name)));
	const isSame = before !== undefined && JSON.stringify(before.value) === JSON.stringify(found);
	const now = { meshes, layers, moves, names, value: isSame ? before.value : found };
	cache.set(world, now);
	return now;
}

function modelAt(world: World, name: string): [string, FrameModel][] {
	const model = findModel(world, name);
	if (model === null) return [];
	const { hash, low, high, lights } = model;
	return [[name, { hash, low, high, lights }]];
}

export const models: DrawnBlock<FrameModels> = {
	version: (world) => identityOf(look(world).value),
	read: (world) => look(world).value,
};

/** Loads the models of a world that were not loaded yet; undefined if all were. A placeholder is drawn for a missing model. */
export function findModels(world: World, assets: Assets): Promise<void> | undefined {
	const unknown = look(world).names.filter((name) => world.assets.lastHashOf(name) === undefined);
	if (unknown.length === 0) return undefined;
	const found = unknown.map((name) =>
		assets.load(name).catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
		}),
	);
	return Promise.all(found).then(() => {});
}
