/**
 * Models of drawn entities and of layers of foliage: the asset and the size of each.
 * Owns: the lookup of the models by their names.
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
	/** SHA-256 of the model's bytes. */
	readonly hash: string;
	/** Corners of the model's bounding box at rest, in metres from the origin of an unscaled entity. */
	readonly low: Vector;
	readonly high: Vector;
	readonly lights: readonly ModelLight[];
}

/** Models by mesh name. Names without a model are missing. */
export type FrameModels = Readonly<Record<string, FrameModel>>;

interface ModelMemo {
	readonly meshes: number;
	readonly layers: readonly FoliageLayer[];
	readonly moveCount: number;
	readonly names: readonly string[];
	readonly value: FrameModels;
}

const memos = new WeakMap<World, ModelMemo>();

/** Returns the sorted names of mesh files of drawn entities and of foliage. */
function modelNamesOf(world: World): string[] {
	const names = new Set<string>();
	const mesh = read(world, Mesh, 'mesh');
	each(world, [Mesh, LocalTransform], (slot) => {
		const name = mesh[slot]!;
		if (isMeshFile(name)) names.add(name);
	});
	for (const { mesh } of foliageOf(world)) if (isMeshFile(mesh)) names.add(mesh);
	return [...names].sort();
}

function currentModels(world: World): ModelMemo {
	const meshes = versionOf(world, Mesh, 'mesh');
	const { hashChanges } = world.assets;
	const layers = foliageOf(world);
	const cached = memos.get(world);
	const isSameNames = cached?.meshes === meshes && cached.layers === layers;
	if (cached !== undefined && isSameNames && cached.moveCount === hashChanges) return cached;
	const names = cached !== undefined && isSameNames ? cached.names : modelNamesOf(world);
	const models = Object.fromEntries(names.flatMap((name) => modelAt(world, name)));
	const isSame = cached !== undefined && JSON.stringify(cached.value) === JSON.stringify(models);
	const memo = { meshes, layers, moveCount: hashChanges, names, value: isSame ? cached.value : models };
	memos.set(world, memo);
	return memo;
}

function modelAt(world: World, name: string): [string, FrameModel][] {
	const model = findModel(world, name);
	if (model === null) return [];
	const { hash, low, high, lights } = model;
	return [[name, { hash, low, high, lights }]];
}

export const models: DrawnBlock<FrameModels> = {
	version: (world) => identityOf(currentModels(world).value),
	read: (world) => currentModels(world).value,
};

/**
 * Loads the models of a world that were not looked up yet. Returns undefined if there are none. A placeholder is drawn for a
 * missing model.
 */
export function loadModels(world: World, assets: Assets): Promise<void> | undefined {
	const unknown = currentModels(world).names.filter((name) => world.assets.lastHashOf(name) === undefined);
	if (unknown.length === 0) return undefined;
	const loads = unknown.map((name) =>
		assets.load(name).catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
		}),
	);
	return Promise.all(loads).then(() => {});
}
