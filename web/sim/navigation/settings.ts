/**
 * The settings of a world's navigation mesh, and the switch for drawing it.
 * Owns: refusing contradictory settings. Without settings there is no mesh.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
	cellsOf,
	type NavmeshSettings,
	navmeshSettings,
	settingsConflict,
} from '../../../shared/documents/navmesh.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Navmesh: Resource<NavmeshSettings> = {
	name: 'navmesh',
	scope: 'state',
	summary: 'Settings of the navigation mesh; the mesh is computed from static bodies',
	schema: navmeshSettings.refine(
		(settings) => settingsConflict(settings) === null,
		'the settings do not fit together',
	),
	initial: () => undefined,
};

export const NavmeshShown: Resource<boolean> = {
	name: 'navmesh_shown',
	scope: 'view',
	summary: 'True if the view draws the navigation mesh and its paths; stored only if true',
	schema: z.boolean(),
	isEmpty: (isShown) => !isShown,
	initial: () => undefined,
};

export const navmeshOf = (world: World): NavmeshSettings | null => resource(world, Navmesh) ?? null;

/** Returns the maximum number of cells that a line across the navigation mesh meets; 0 without a mesh. */
export function maxLineCells(world: World): number {
	const settings = navmeshOf(world);
	if (settings === null) return 0;
	const { width, height } = cellsOf(settings);
	return width + height;
}

/** Returns a value with every -0 replaced by 0, because JSON does not distinguish them. */
const withoutNegativeZeros = <T>(value: T): T =>
	(Array.isArray(value)
		? value.map(withoutNegativeZeros)
		: typeof value === 'object' && value !== null
			? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNegativeZeros(item)]))
			: typeof value === 'number'
				? value + 0
				: value) as T;

/** Sets the settings. Throws `bad_navmesh` if they are contradictory. */
export function setNavmesh(world: World, settings: NavmeshSettings): void {
	const contradiction = settingsConflict(settings);
	if (contradiction !== null) {
		const [path, problem, fix] = contradiction;
		throw new ApiError('bad_navmesh', problem, { path, fix });
	}
	setResource(world, Navmesh, withoutNegativeZeros(settings));
}

/** Removes the navigation mesh. Returns false if there was none. */
export function removeNavmesh(world: World): boolean {
	clearResource(world, NavmeshShown);
	return clearResource(world, Navmesh);
}

export const isNavmeshShown = (world: World): boolean => resource(world, NavmeshShown) === true;

export function showNavmesh(world: World, isShown: boolean): void {
	setResource(world, NavmeshShown, isShown);
}
