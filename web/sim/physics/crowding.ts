/**
 * Keeps bodies from being heaped on one point: n bodies in the same place are n * n contacts for the solver,
 * and a thousand of them stop it for many seconds.
 * Owns: how many Dynamic bodies are in each centimetre; counted when asked, and kept up while they only come or are put
 * elsewhere.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Fault } from '../../../shared/contract/errors.ts';
import { each, read, versionOf, type World } from '../core/world.ts';

type Point = readonly [number, number, number];

/** Most Dynamic bodies with a collider in one cell. */
export const MAX_CROWD = 150;
/** Edge of a cell, metres. */
const CELL = 0.01;

const DYNAMIC = PhysicsBody.fields.kind.words.indexOf('Dynamic');

interface Census {
	version: number;
	readonly cells: Map<string, number>;
}

const censuses = new WeakMap<World, Census>();

/** Of a point as it will be kept, so that who is counted when he comes is counted alike later. */
function cellOf(...point: Point): string {
	return point.map((part) => Math.round(Math.fround(part) / CELL)).join();
}

function versionNow(world: World): number {
	return Math.max(
		versionOf(world, PhysicsBody, 'kind'),
		versionOf(world, Collider),
		versionOf(world, LocalTransform, 'position'),
	);
}

function census(world: World): Census {
	const version = versionNow(world);
	const known = censuses.get(world);
	if (known?.version === version) return known;
	const cells = new Map<string, number>();
	const position = read(world, LocalTransform, 'position');
	const kind = read(world, PhysicsBody, 'kind');
	each(world, [PhysicsBody, Collider, LocalTransform], (slot) => {
		if (kind[slot] !== DYNAMIC) return;
		const cell = cellOf(position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!);
		cells.set(cell, (cells.get(cell) ?? 0) + 1);
	});
	const fresh = { version, cells };
	censuses.set(world, fresh);
	return fresh;
}

/** Whether one more Dynamic body fits at a point. */
export function hasRoom(world: World, point: Point): boolean {
	return (census(world).cells.get(cellOf(...point)) ?? 0) < MAX_CROWD;
}

/** Throws `too_crowded` when one more Dynamic body at a point would be too many. */
export function requireRoom(world: World, point: Point): void {
	const crowd = census(world).cells.get(cellOf(...point)) ?? 0;
	if (crowd >= MAX_CROWD)
		throw new Fault(
			'too_crowded',
			`There are already ${crowd} Dynamic bodies within 1 cm of [${point.join(', ')}].`,
		);
}

/**
 * Counts a Dynamic body that was added since `requireRoom`, or came `from` elsewhere since `hasRoom`, when nothing else
 * has changed.
 */
export function countBody(world: World, point: Point, from?: Point): void {
	const known = censuses.get(world);
	if (known === undefined) return;
	const add = (cell: string, more: number) => known.cells.set(cell, (known.cells.get(cell) ?? 0) + more);
	if (from !== undefined) add(cellOf(...from), -1);
	add(cellOf(...point), 1);
	known.version = versionNow(world);
}
