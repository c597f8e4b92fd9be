/**
 * The navigation mesh of a world, computed from its settings and from static things. Clones share it.
 * Owns: the time of rebuilding, and finding the changed tiles. Only these are rebuilt.
 */

import { Path } from '../../../shared/components/path.ts';
import { cellsOf, type NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { CHUNK } from '../../../shared/media/terrain.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { rebuildParts } from '../core/derived-parts.ts';
import { fnv1a } from '../core/fnv.ts';
import type { WorldPart } from '../core/part.ts';
import { resourceVersion } from '../core/resource.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { count, type World } from '../core/world.ts';
import { HASH_WORDS, tileHashes } from '../terrain/tiles.ts';
import { Effort } from './effort.ts';
import { bytesOf, joinTiles, type NavMesh, tilesOf } from './mesh.ts';
import { isSearchable, roomsWithin, searchWork } from './rooms.ts';
import { Navmesh, navmeshOf } from './settings.ts';
import {
	isSameSurvey,
	type Solid,
	type StaticSurvey,
	type Statics,
	staticsOf,
	staticsVersion,
	surveyStatics,
} from './statics.ts';
import { borderOf, buildTile, countTile, TILE, type Tile } from './tile.ts';

export interface NavigationState {
	/** Null without settings. */
	readonly mesh: NavMesh | null;
	readonly settings: NavmeshSettings | null;
	readonly survey: StaticSurvey | null;
	/** Tiles by the hash of their inputs. */
	readonly tiles: ReadonlyMap<bigint, Tile>;
	readonly solids: ReadonlyMap<string, Solid>;
	/** Number of tiles that the last rebuild computed. */
	readonly rebuiltTiles: number;
	/** Versions of the inputs for which this state is known to be valid. */
	validVersions: string;
}

const NO_MESH: NavigationState = {
	mesh: null,
	settings: null,
	survey: null,
	tiles: new Map(),
	solids: new Map(),
	rebuiltTiles: 0,
	validVersions: '',
};

export const Navigation: WorldPart<NavigationState> = {
	name: 'navigation',
	scope: 'derived',
	create: () => ({ ...NO_MESH }),
	clone: (state) => ({ ...state }),
	version: () => 0,
	digest: () => new Uint8Array(),
	encode: () => new Uint8Array(),
	decode: () => ({ ...NO_MESH }),
	weigh: ({ mesh, tiles, solids }, report) => {
		if (mesh !== null) report(mesh, bytesOf(mesh));
		for (const tile of tiles.values()) report(tile, tile.firstPlace.byteLength + 5 * tile.y.byteLength);
		for (const solid of solids.values()) report(solid, solid.triangles.byteLength);
	},
	derived: {
		isStale: (state, world) => {
			const settings = navmeshOf(world);
			if (settings === null) return state.mesh !== null;
			const current = inputVersions(world);
			if (state.validVersions === current) return isUnprepared(state, world);
			if (state.settings !== settings || state.survey === null) return true;
			if (!isSameSurvey(state.survey, surveyStatics(world))) return true;
			state.validVersions = current;
			return isUnprepared(state, world);
		},
		rebuild,
	},
};

const inputVersions = (world: World): string => `${resourceVersion(world, Navmesh)} ${staticsVersion(world)}`;

/** Returns true if paths may be searched but the data for searches is missing. The search would compute it unsliced. */
const isUnprepared = ({ mesh }: NavigationState, world: World): boolean =>
	mesh !== null && count(world, Path) > 0 && !isSearchable(mesh);

function* rebuild(world: World): SlicedWork<NavigationState> {
	const settings = navmeshOf(world);
	if (settings === null) return { ...NO_MESH };
	const before = navigationOf(world);
	const current = inputVersions(world);
	if (before.validVersions === current && before.mesh !== null) {
		yield* searchWork(before.mesh);
		return { ...before, rebuiltTiles: 0 };
	}
	const survey = surveyStatics(world);
	const statics = staticsOf(world, survey, before.solids);
	const effort = new Effort();
	const tiles = new Map<bigint, Tile>();
	const inOrder: Tile[] = [];
	/** Key of each tile, and its inputs; `inputs` is null if the tile exists. */
	const plannedTiles: {
		readonly key: bigint;
		readonly inputs: { statics: Statics; cells: TileCells } | null;
	}[] = [];
	const settingsText = canonicalJson(settings);
	const cellsOfTiles = cellsOfAllTiles(settings);
	const staticsOfTiles = distributeStatics(settings, statics, cellsOfTiles);
	// Everything is counted before anything is built, so that a mesh above a limit is refused early.
	for (const [i, cells] of cellsOfTiles.entries()) {
		effort.startTile();
		effort.countVisits(staticsOfTiles[i]!.solids.length);
		const key = keyOf(settings, settingsText, staticsOfTiles[i]!, cells);
		const exists = before.tiles.has(key);
		if (!exists) countTile(settings, staticsOfTiles[i]!, cells, effort);
		plannedTiles.push({ key, inputs: exists ? null : { statics: staticsOfTiles[i]!, cells } });
		if (!exists || i % KEYS_PER_SLICE === 0) yield;
	}
	let newTiles = 0;
	for (const { key, inputs } of plannedTiles) {
		let tile = before.tiles.get(key);
		if (inputs !== null) {
			tile = buildTile(settings, inputs.statics, inputs.cells, effort);
			newTiles++;
			yield;
		}
		effort.countPlaces(tile!.y.length);
		tiles.set(key, tile!);
		inOrder.push(tile!);
	}
	const mesh = yield* joinTiles(settings, inOrder, before.mesh);
	for (const [i, { inputs }] of plannedTiles.entries()) {
		if (inputs === null) continue;
		// Otherwise the first search of a tick would compute this for all tiles.
		roomsWithin(mesh, i);
		yield;
	}
	if (count(world, Path) > 0) yield* searchWork(mesh, before.mesh);
	return {
		mesh,
		settings,
		survey,
		tiles,
		solids: new Map(statics.solids.map((solid) => [solid.key, solid])),
		rebuiltTiles: newTiles,
		validVersions: current,
	};
}

/** Number of tiles whose keys are computed in one slice. */
const KEYS_PER_SLICE = 32;

type TileCells = Parameters<typeof buildTile>[2];

/** Returns the rectangle whose static things affect a tile. */
function rectangleOf(settings: NavmeshSettings, { column, row, columns, rows }: TileCells) {
	const { cell_size: edge, min_x, min_z } = settings;
	const border = borderOf(settings);
	return {
		minX: min_x + (column - border) * edge,
		minZ: min_z + (row - border) * edge,
		maxX: min_x + (column + columns + border) * edge,
		maxZ: min_z + (row + rows + border) * edge,
	};
}

type Rectangle = ReturnType<typeof rectangleOf>;

const overlap = (a: Rectangle, b: Rectangle): boolean =>
	a.minX <= b.maxX && a.maxX >= b.minX && a.minZ <= b.maxZ && a.maxZ >= b.minZ;

/** Returns the cells of all tiles, in rows along x. */
function cellsOfAllTiles(settings: NavmeshSettings): TileCells[] {
	const { width, height } = cellsOf(settings);
	const { tileColumns, tileRows } = tilesOf(settings);
	return Array.from({ length: tileColumns * tileRows }, (_, i) => {
		const [column, row] = [(i % tileColumns) * TILE, Math.floor(i / tileColumns) * TILE];
		return { column, row, columns: Math.min(TILE, width - column), rows: Math.min(TILE, height - row) };
	});
}

/** Returns the static things over each tile, in their order. */
function distributeStatics(
	settings: NavmeshSettings,
	{ solids, fields, waters }: Statics,
	cellsOfTiles: readonly TileCells[],
) {
	const { tileColumns, tileRows } = tilesOf(settings);
	const rectangles = cellsOfTiles.map((cells) => rectangleOf(settings, cells));
	const side = TILE * settings.cell_size;
	const margin = borderOf(settings) * settings.cell_size;
	const tileAt = (distance: number, count: number) =>
		Math.max(0, Math.min(count - 1, Math.floor(distance / side)));
	const distribute = <T extends Rectangle>(things: readonly T[]): T[][] => {
		const lists = cellsOfTiles.map((): T[] => []);
		for (const thing of things) {
			const { min_x, min_z } = settings;
			const right = tileAt(thing.maxX - min_x + margin + side, tileColumns);
			const far = tileAt(thing.maxZ - min_z + margin + side, tileRows);
			for (let row = tileAt(thing.minZ - min_z - margin - side, tileRows); row <= far; row++)
				for (
					let column = tileAt(thing.minX - min_x - margin - side, tileColumns);
					column <= right;
					column++
				) {
					const i = row * tileColumns + column;
					if (overlap(thing, rectangles[i]!)) lists[i]!.push(thing);
				}
		}
		return lists;
	};
	const lists = { solids: distribute(solids), fields: distribute(fields), waters: distribute(waters) };
	return cellsOfTiles.map(
		(_, i): Statics => ({ solids: lists.solids[i]!, fields: lists.fields[i]!, waters: lists.waters[i]! }),
	);
}

const encoder = new TextEncoder();

/** Returns a 64-bit hash of all inputs of a tile. `settingsText`: the settings as canonical JSON. */
function keyOf(
	settings: NavmeshSettings,
	settingsText: string,
	{ solids, fields, waters }: Statics,
	cells: TileCells,
): bigint {
	const inputs = [
		settingsText,
		cells.column,
		cells.row,
		...solids.map(({ key }) => key),
		...waters.map(({ key }) => `water ${key}`),
	].join('|');
	let key = fnv1a(encoder.encode(inputs));
	const rectangle = rectangleOf(settings, cells);
	for (const field of fields) {
		key = fnv1a(encoder.encode(field.key), key);
		const prints = tileHashes(field.ground);
		const { width, height, cell_size: edge } = field.ground;
		const chunkColumns = Math.ceil((width - 1) / CHUNK);
		const chunkRows = Math.ceil((height - 1) / CHUNK);
		const chunkAt = (distance: number, count: number) =>
			Math.min(count - 1, Math.max(0, Math.floor(distance / (edge * CHUNK))));
		const [left, right] = [
			chunkAt(rectangle.minX - field.x, chunkColumns),
			chunkAt(rectangle.maxX - field.x, chunkColumns),
		];
		const [near, far] = [
			chunkAt(rectangle.minZ - field.z, chunkRows),
			chunkAt(rectangle.maxZ - field.z, chunkRows),
		];
		for (let row = near; row <= far; row++) {
			const words = prints.subarray(
				(row * chunkColumns + left) * HASH_WORDS,
				(row * chunkColumns + right + 1) * HASH_WORDS,
			);
			key = fnv1a(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), key);
		}
	}
	return key;
}

/** Returns the navigation state as of the start of the tick, or between ticks, as of the last rebuild. */
export function navigationOf(world: World): NavigationState {
	return (world.parts.get(Navigation.name)?.state as NavigationState | undefined) ?? NO_MESH;
}

/**
 * Rebuilds the stale parts of a world, and returns the navigation state for the next tick. Must not be called during a
 * tick, which uses the mesh of its start throughout.
 */
export function updateNavigation(world: World): NavigationState {
	const work = rebuildParts(world);
	while (work.next().done !== true);
	return navigationOf(world);
}
