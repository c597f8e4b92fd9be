/**
 * Layers of foliage of a world. View scope: saved and forked, never digested, because only the picture depends on them.
 * Owns: the list and its limits. Never: stores plants, which are computed from a layer and the ground.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
	type FoliageLayer,
	foliageLayers,
	MAX_LAYERS,
	MAX_PLANTS,
	maxPlants,
	type PlantGround,
	visitPlants,
} from '../../../shared/documents/foliage.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import { get, type World } from '../core/world.ts';
import { surfaceAt } from '../terrain/ground.ts';
import { terrains } from '../terrain/terrain.ts';

export const Foliage: Resource<readonly FoliageLayer[]> = {
	name: 'foliage',
	scope: 'view',
	summary: 'Layers of plants on areas of ground',
	schema: foliageLayers,
	entriesOf: (layers = []) => keyedBy(layers, ({ id }) => id),
	limits: [
		{ noun: 'layers of foliage', max: MAX_LAYERS },
		{ noun: 'plants', max: MAX_PLANTS, countIn: (layer) => maxPlants(layer as FoliageLayer) },
	],
	initial: () => undefined,
	isEmpty: (layers) => layers.length === 0,
};

const NONE: readonly FoliageLayer[] = [];

/** Returns the layers, oldest first. */
export function foliageOf(world: World): readonly FoliageLayer[] {
	return resource(world, Foliage) ?? NONE;
}

/** Returns the terrains in the form that the placement of plants requires. */
export function plantGrounds(world: World): PlantGround[] {
	return terrains(world).map(({ id, ground }) => {
		const { position, rotation } = get(world, id, LocalTransform)!;
		return {
			id,
			generation: world.entities.generations.data[id]!,
			position,
			rotation: rotation as PlantGround['rotation'],
			surface: (x, z) => surfaceAt(ground, x, z),
		};
	});
}

/** Returns the number of a layer's plants on the existing ground. */
export function countPlants(world: World, layer: FoliageLayer): number {
	let count = 0;
	visitPlants(layer, plantGrounds(world), () => count++);
	return count;
}

const refuse = (message: string, fix: string, path: string): never => {
	throw new ApiError('bad_foliage', message, { fix, path });
};

/**
 * Adds a layer. Returns it with the number of its plants. Without a seed, its id is its seed. Throws `no_registry` on a
 * bare host, `bad_foliage`, `world_full`.
 */
export function addLayer(
	world: World,
	settings: Omit<FoliageLayer, 'id' | 'seed'> & { readonly seed: number | null },
): { readonly layer: FoliageLayer; readonly count: number } {
	if (world.profile === 'bare')
		throw new ApiError('no_registry', 'A bare host has no default assets, so there is nothing to scatter.', {
			fix: 'Start without --bare.',
		});
	const { density, area_min, area_max, min_scale, max_scale } = settings;
	if (density <= 0)
		refuse('The density is 0, so there would be no plants.', 'Send a density above 0.', 'density');
	for (const axis of [0, 2] as const)
		if (area_max[axis]! <= area_min[axis]!)
			refuse(
				`The area is empty: its ${axis === 0 ? 'x' : 'z'} ranges from ${area_min[axis]} to ${area_max[axis]} m.`,
				'Send an area_max that is greater than area_min in x and in z.',
				'area_max',
			);
	if (area_max[1]! < area_min[1]!)
		refuse(
			'The y of area_max is lower than the y of area_min.',
			'Send the higher y in area_max.',
			'area_max',
		);
	if (max_scale < min_scale)
		refuse('max_scale is less than min_scale.', 'Send the greater value as max_scale.', 'max_scale');
	const layers = foliageOf(world);
	if (layers.length >= MAX_LAYERS)
		throw new ApiError('world_full', `A world has at most ${MAX_LAYERS} layers of foliage.`, {
			fix: 'Remove a layer with POST /foliage/remove.',
		});
	const plants = layers.reduce((sum, layer) => sum + maxPlants(layer), 0);
	const newPlants = maxPlants(settings);
	if (plants + newPlants > MAX_PLANTS)
		throw new ApiError(
			'world_full',
			`A density of ${density} on ${area_max[0] - area_min[0]} x ${area_max[2] - area_min[2]} m makes ${newPlants} plants. The world has room for ${MAX_PLANTS - plants} of at most ${MAX_PLANTS}.`,
			{ fix: 'Send a lower density or a smaller area, or remove a layer.', path: 'density' },
		);
	const id = (layers.at(-1)?.id ?? 0) + 1;
	const layer = { ...settings, id, seed: settings.seed ?? id };
	const count = countPlants(world, layer);
	if (count === 0)
		refuse(
			'No point of the area has ground for a plant.',
			'Send an area on the terrain, or a greater max_slope.',
			'area_min',
		);
	setResource(world, Foliage, [...layers, layer]);
	return { layer, count };
}

/** Removes a layer. Throws `unknown_foliage`. */
export function removeLayer(world: World, id: number): void {
	const layers = foliageOf(world);
	const remaining = layers.filter((layer) => layer.id !== id);
	if (remaining.length === layers.length)
		throw new ApiError('unknown_foliage', `There is no foliage layer ${id}.`);
	setResource(world, Foliage, remaining);
}

/** Removes all layers, and answers how many there were. */
export function removeFoliage(world: World): number {
	const { length } = foliageOf(world);
	clearResource(world, Foliage);
	return length;
}
