/** Handlers of the tag Navigation. */

import { Path } from '../../shared/components/path.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Vector } from '../../shared/contract/vector.ts';
import * as routes from '../../shared/routes/navigation.ts';
import { rebuildParts } from '../sim/core/derived-parts.ts';
import { entityAt, handleOf } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { each, get, type World } from '../sim/core/world.ts';
import type { NavMesh } from '../sim/navigation/mesh.ts';
import { updateNavigation } from '../sim/navigation/navigation.part.ts';
import { cancelPath, findPathBetween, setPath } from '../sim/navigation/path.ts';
import { regionsOf, searchWork } from '../sim/navigation/rooms.ts';
import {
	isNavmeshShown,
	navmeshOf,
	removeNavmesh,
	setNavmesh,
	showNavmesh,
} from '../sim/navigation/settings.ts';
import { countBlockedCells, topsOf } from '../sim/navigation/tops.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';

/** Returns the current navigation mesh. Throws `no_navmesh` if there is none. */
function requireMesh(world: World): NavMesh {
	const { mesh } = updateNavigation(world);
	if (mesh === null) throw new ApiError('no_navmesh', 'The world has no navigation mesh.');
	return mesh;
}

function meshCounts(mesh: NavMesh) {
	const { width, height, y } = mesh;
	return {
		width,
		height,
		blocked_cells: countBlockedCells(mesh),
		total_cells: width * height,
		places: y.length,
		regions: regionsOf(mesh).reduce((regionCount, region) => Math.max(regionCount, region + 1), 0),
	};
}

/** Returns the map as texts, one per row of cells and one character per cell. */
function mapRowsOf(mesh: NavMesh): string[] {
	const { width, height, firstPlace, cost } = mesh;
	const tops = topsOf(mesh);
	return Array.from({ length: height }, (_, row) => {
		let text = '';
		for (let cell = row * width; cell < (row + 1) * width; cell++) {
			const index = firstPlace[cell]!;
			text += index === firstPlace[cell + 1] ? '#' : tops[index] === 1 ? '^' : cost[index] === 1 ? '.' : '~';
		}
		return text;
	});
}

const roundPoint = ([x, y, z]: Vector): [number, number, number] => [
	shortestFloat32(x),
	shortestFloat32(y),
	shortestFloat32(z),
];

function pathView(world: World, id: number) {
	const path = get(world, id, Path);
	if (path === undefined) throw new ApiError('no_path', `Entity ${id} has no path.`);
	const { goal, speed, radius, partial, state, near, next, waypoints } = path;
	return {
		entity_id: id,
		entity_generation: handleOf(world, id).generation,
		goal: roundPoint(goal),
		speed: shortestFloat32(speed),
		radius: shortestFloat32(radius),
		partial: partial === 1,
		state,
		near: near === 1,
		waypoints: waypoints.slice(next).map(roundPoint),
	};
}

export const handlers = [
	handler(routes.generateNavmesh, async ({ host, world }, { body: { shown, ...settings } }) => {
		setNavmesh(world, settings);
		if (shown != null) showNavmesh(world, shown);
		await host.inSlices(rebuildParts(world));
		const mesh = requireMesh(world);
		await host.inSlices(searchWork(mesh));
		return meshCounts(mesh);
	}),

	handler(routes.getNavmesh, ({ world }, { query: { map } }) => {
		const mesh = requireMesh(world);
		return {
			settings: mesh.settings,
			...meshCounts(mesh),
			shown: isNavmeshShown(world),
			...(map === true ? { map: mapRowsOf(mesh) } : {}),
		};
	}),

	handler(routes.removeNavmesh, ({ world }) => {
		if (!removeNavmesh(world)) throw new ApiError('no_navmesh', 'The world has no navigation mesh.');
		return { message: 'The navigation mesh was removed.' };
	}),

	handler(routes.showNavmesh, ({ world }, { body: { shown } }) => {
		if (navmeshOf(world) === null) throw new ApiError('no_navmesh', 'The world has no navigation mesh.');
		showNavmesh(world, shown);
		return { message: `The navigation mesh is ${shown ? 'shown' : 'hidden'}.`, shown };
	}),

	handler(routes.computePath, ({ world }, { body: { from, to, partial } }) => {
		const answer = findPathBetween(requireMesh(world), from, to, partial);
		if (answer.path === null) throw new ApiError('no_way', answer.reason);
		const { path, near } = answer;
		const waypoints = path.points.slice(1).map(([x, y, z]): [number, number, number] => [x, y, z]);
		if (!near) waypoints[waypoints.length - 1] = [to[0], to[1], to[2]];
		return { waypoints, count: waypoints.length, length: path.length, cost: path.cost, partial: near };
	}),

	handler(routes.setPath, ({ world }, { body: { target, speed, radius, partial, ...named } }) => {
		const entity = requireNamedEntity(world, named);
		setPath(world, entity, { goal: target, speed, radius, partial });
		return { message: `Entity ${entity.id} walks to [${target.join(', ')}].` };
	}),

	handler(routes.listPaths, ({ world }) => {
		const paths: ReturnType<typeof pathView>[] = [];
		each(world, [Path], (slot) => {
			paths.push(pathView(world, slot));
		});
		return { paths, count: paths.length };
	}),

	handler(routes.getPath, ({ world }, { params: { entity_id } }) =>
		pathView(world, entityAt(world, entity_id).id),
	),

	handler(routes.cancelPath, ({ world }, { params: { entity_id } }) => {
		const { id } = entityAt(world, entity_id);
		if (!cancelPath(world, id)) throw new ApiError('no_path', `Entity ${id} has no path.`);
		return { message: `Entity ${id} no longer walks.` };
	}),
];
