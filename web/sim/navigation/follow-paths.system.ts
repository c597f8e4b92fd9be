/**
 * Finds paths for entities that wait for one, and moves those that have one along it, clear of others.
 * Owns: what a tick may spend on finding paths, and when a path ends. Each decides by the positions at the start of
 * the system.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Path } from '../../../shared/components/path.ts';
import { Player } from '../../../shared/components/player.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import type { NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { PathEnded } from '../../../shared/events/path-ended.ts';
import { face, flat, paceOf, steer } from '../ai/walk.ts';
import { DT } from '../core/clock.ts';
import { handleOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import type { Vector } from '../core/math/vector.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { mostWith } from '../core/tick-maximum.ts';
import { add, count, each, has, read, type World, write } from '../core/world.ts';
import { colliderAt, extent } from '../physics/geometry.ts';
import { buildGrid, eachIn, type PointGrid } from '../space/grid.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { AHEAD, type Body, keepClear } from './avoid.ts';
import { climb, mostToStep, onMesh } from './footing.ts';
import { cellsMet, walkLine } from './line.ts';
import { type NavMesh, placeAt } from './mesh.ts';
import { navigationOf } from './navigation.part.ts';
import { floats, halt, rise, wayBetween } from './path.ts';
import { cellsAlong, holds } from './search.ts';
import { longestLine, navmeshOf } from './settings.ts';

export const followPaths: System = {
	name: 'follow-paths',
	needs: [Path],
	access: {
		reads: ['navmesh'],
		queries: [
			{
				with: ['path'],
				reads: [
					'crowd_control',
					'dead',
					'local_transform.position',
					'local_transform.rotation',
					'modifiers',
					'parent',
					'path',
					'physics_body.kind',
					'velocity.linear',
				],
				writes: ['local_transform.rotation', 'path', 'velocity.linear'],
			},
			{
				with: ['velocity'],
				reads: [
					'collider',
					'dead',
					'local_transform.position',
					'parent',
					'path.lift',
					'path.radius',
					'path.state',
					'velocity.linear',
				],
			},
		],
		emits: ['path_ended'],
	},
	most(world, before) {
		if (count(world, Path) === 0 && count(world, Player) === 0) return {};
		// An input can give a player a path.
		const walkers = mostWith(world, Path, before) + count(world, Player);
		const line = longestLine(world);
		if (line === 0) return { sent: walkers };
		const others = mostWith(world, Velocity, before) + count(world, Player);
		return {
			sent: walkers,
			searched:
				walkers * (2 * others + line + mostToStep(world)) + line * mostPoints(world) + mostToCheckWays(world),
		};
	},
	run,
};

const WAITING = wordIndex(Path, 'state', 'waiting');
const WALKING = wordIndex(Path, 'state', 'walking');
const ARRIVED = wordIndex(Path, 'state', 'arrived');
const NO_WAY = wordIndex(Path, 'state', 'no_way');
/** Places that a tick may look at to find ways; a search that has begun is always ended. */
const LOOKED_PER_TICK = 20_000;
/** To look whether one can step from a cell to the next takes as long as to look at this many entities. */
const STEP_LOOKS = 4;
/** Distance from its goal within which an entity has arrived (m). */
const THERE = 0.05;
/** Others that one keeps clear of: the nearest. */
const MAX_OTHERS = 12;
/** Ticks from one look along the way to the next: an entity that was pushed aside may not see it any more. */
const LOOK_EVERY = 8;
/** Distance to the right that an entity goes while another is near, so that two that meet do not both wait. */
const ASIDE = 0.08;

/** Maximum number of points of all ways that are walked on the coming tick. */
function mostPoints(world: World): number {
	const ways = read(world, Path, 'waypoints');
	let points = LOOKED_PER_TICK;
	each(world, [Path], (slot) => {
		points += ways[slot]!.length;
	});
	return points;
}

/** Returns the most that is looked at to see whether ways still hold on a mesh that has changed. */
function mostToCheckWays(world: World): number {
	const { mesh } = navigationOf(world);
	if (mesh === null) return 0;
	const ways = read(world, Path, 'waypoints');
	const meshes = read(world, Path, 'mesh');
	let cells = 0;
	each(world, [Path], (slot) => {
		if (meshes[slot] !== mesh.print) cells += cellsAlong(mesh, ways[slot]!);
	});
	return STEP_LOOKS * cells;
}

function run(world: World): void {
	const mesh = navmeshOf(world) === null ? null : navigationOf(world).mesh;
	findWays(world, mesh);
	if (mesh === null) return;
	const crowd = gather(world, mesh.settings);
	each(world, [Path, LocalTransform, Velocity], (slot) => {
		if (read(world, Path, 'state')[slot] !== WALKING) return;
		if (has(world, slot, Dead) || parentOf(world, slot) !== null) halt(world, slot);
		else walk(world, mesh, crowd, slot);
	});
}

function pointOf(world: World, slot: number): Vector {
	const position = read(world, LocalTransform, 'position');
	return [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!];
}

/** Finds paths for waiting entities, in the order of their ids; and again for those whose mesh has changed. */
function findWays(world: World, mesh: NavMesh | null): void {
	let remaining = LOOKED_PER_TICK;
	const nearest = new Map<string, number>();
	const states = read(world, Path, 'state');
	const meshes = read(world, Path, 'mesh');
	each(world, [Path, LocalTransform, Velocity], (slot) => {
		const state = states[slot]!;
		if (state === ARRIVED || has(world, slot, Dead)) return;
		if (mesh === null) {
			if (state !== NO_WAY) end(world, slot, 'no_way', 'The world has no navigation mesh.', 0);
			return;
		}
		const isSame = meshes[slot] === mesh.print;
		if (state !== WAITING && isSame) return;
		const points = read(world, Path, 'waypoints')[slot]!;
		if (state === WALKING) spend(world, 'searched', STEP_LOOKS * cellsAlong(mesh, points));
		if (state === WALKING && holds(mesh, points)) {
			write(world, Path, 'mesh')[slot] = mesh.print;
			return;
		}
		if (remaining <= 0) {
			if (state === WALKING) halt(world, slot);
			return;
		}
		remaining -= findWayFor(world, mesh, slot, state === NO_WAY, nearest);
	});
}

/** Finds the way of an entity. Returns the number of places that were looked at. */
function findWayFor(
	world: World,
	mesh: NavMesh,
	slot: number,
	again: boolean,
	nearest: Map<string, number>,
): number {
	const goal = read(world, Path, 'goal');
	const from = pointOf(world, slot);
	const to = [goal[slot * 3]!, goal[slot * 3 + 1]!, goal[slot * 3 + 2]!] as const;
	const answer = wayBetween(mesh, from, to, read(world, Path, 'partial')[slot] === 1, nearest);
	if (answer.way === null) {
		// An entity that had no path before has been sent its event.
		if (again) write(world, Path, 'mesh')[slot] = mesh.print;
		else end(world, slot, 'no_way', answer.why, mesh.print);
		return answer.looked;
	}
	const { way, near } = answer;
	const [first] = way.points;
	const { agent_height } = mesh.settings;
	add(world, slot, Path, {
		state: 'walking',
		near: near ? 1 : 0,
		next: 1,
		lift: floats(world, slot) ? Math.min(agent_height, Math.max(-agent_height, from[1] - first![1])) : 0,
		mesh: mesh.print,
		waypoints: way.points.map(([x, y, z]) => [x + 0, y + 0, z + 0] as const),
	});
	return way.looked;
}

/** Ends a way, and reports it. */
function end(
	world: World,
	slot: number,
	outcome: 'arrived' | 'near' | 'no_way',
	reason: string,
	mesh: number,
): void {
	add(world, slot, Path, {
		state: outcome === 'no_way' ? 'no_way' : 'arrived',
		near: outcome === 'near' ? 1 : 0,
		next: 0,
		mesh,
		waypoints: [],
	});
	halt(world, slot);
	emit(world, PathEnded, { entity: handleOf(world, slot), outcome, reason });
}

/** Entity that walkers keep clear of. */
interface Member extends Body {
	readonly slot: number;
	readonly y: number;
	/** Its lowest and highest point (m). */
	readonly low: number;
	readonly high: number;
	/** Speed along the ground (m/s). */
	readonly speed: number;
	/** True if it has reached the end of its path. */
	readonly stands: boolean;
}

interface Crowd {
	readonly grid: PointGrid;
	/** In the order of the grid. */
	readonly members: readonly Member[];
	readonly bySlot: readonly (Member | undefined)[];
	/** Largest radius (m) and greatest speed (m/s) of any entity. */
	readonly widest: number;
	readonly fastest: number;
}

function gather(world: World, { agent_height }: NavmeshSettings): Crowd {
	const position = read(world, LocalTransform, 'position');
	const linear = read(world, Velocity, 'linear');
	const states = read(world, Path, 'state');
	const radii = read(world, Path, 'radius');
	const lifts = read(world, Path, 'lift');
	const slots: number[] = [];
	const bySlot: (Member | undefined)[] = [];
	let [widest, fastest] = [0, 0];
	each(world, [Velocity, LocalTransform], (slot) => {
		const walks = has(world, slot, Path);
		if (!walks && !has(world, slot, Collider)) return;
		if (has(world, slot, Dead) || parentOf(world, slot) !== null) return;
		const at = slot * 3;
		const [x, y, z, vx, vz] = [
			position[at]!,
			position[at + 1]!,
			position[at + 2]!,
			linear[at]!,
			linear[at + 2]!,
		];
		const size = walks ? null : extent(world, colliderAt(world, slot));
		const low = size === null ? y - lifts[slot]! : y - size[1];
		const high = size === null ? low + agent_height : y + size[1];
		const radius = size === null ? radii[slot]! : Math.max(size[0], size[2]);
		const speed = Math.sqrt(vx * vx + vz * vz);
		const yields = walks && states[slot] === WALKING;
		const stands = walks && states[slot] === ARRIVED;
		slots.push(slot);
		bySlot[slot] = { slot, x, y, z, vx, vz, radius, low, high, speed, yields, stands };
		widest = Math.max(widest, radius);
		fastest = Math.max(fastest, speed);
	});
	const grid = buildGrid(slots, slots.length, position);
	return { grid, members: Array.from(grid.slots, (slot) => bySlot[slot]!), bySlot, widest, fastest };
}

/**
 * Distance in which an entity looks for others (m): only as far as matters, and not across the world for a fast one.
 */
const FARTHEST = 10;
/** The nearest others and the squares of how far they are, while they are looked for. */
const nearest: Member[] = [];
const squares = new Float64Array(MAX_OTHERS);

/**
 * Returns the others nearest to an entity, within reach and at its height: not what it stands on, nor what is above
 * it.
 */
function othersNear(
	world: World,
	{ grid, members, widest, fastest }: Crowd,
	self: Member,
	pace: number,
	{ agent_height, step_height }: NavmeshSettings,
): readonly Member[] {
	nearest.length = 0;
	const { x, z, radius } = self;
	const reach = Math.min(FARTHEST + radius + widest, radius + widest + AHEAD * (pace + fastest));
	const [feet, head] = [self.low + step_height, self.low + agent_height];
	let looks = 0;
	eachIn(grid, x - reach, z - reach, x + reach, z + reach, (entry) => {
		looks++;
		const [dx, dz] = [grid.x[entry]! - x, grid.z[entry]! - z];
		const square = dx * dx + dz * dz;
		const full = nearest.length === MAX_OTHERS;
		if (full && square > squares[MAX_OTHERS - 1]!) return;
		const other = members[entry]!;
		const near = radius + other.radius + AHEAD * (pace + other.speed);
		if (other === self || square > near * near || other.high <= feet || other.low >= head) return;
		let at = nearest.length;
		while (
			at > 0 &&
			(square < squares[at - 1]! || (square === squares[at - 1] && other.slot < nearest[at - 1]!.slot))
		)
			at--;
		if (at === MAX_OTHERS) return;
		if (full) nearest.pop();
		for (let i = nearest.length; i > at; i--) {
			squares[i] = squares[i - 1]!;
			nearest[i] = nearest[i - 1]!;
		}
		squares[at] = square;
		nearest[at] = other;
	});
	spend(world, 'searched', looks);
	return nearest;
}

function walk(world: World, mesh: NavMesh, crowd: Crowd, slot: number): void {
	const points = read(world, Path, 'waypoints')[slot]!;
	const lift = read(world, Path, 'lift')[slot]!;
	const pace = paceOf(world, slot, read(world, Path, 'speed')[slot]!);
	const self = crowd.bySlot[slot]!;
	const place = placeAt(mesh, self.x, self.y - lift, self.z);
	const next = nextPoint(world, mesh, slot, points, self, place, pace);
	const target = points[next];
	// A way that says nothing, as from a document, is looked for again; so is one that is out of sight.
	if (target === undefined || (looks(world, slot) && place >= 0 && !sees(world, mesh, place, self, target))) {
		add(world, slot, Path, { state: 'waiting', waypoints: [], next: 0 });
		halt(world, slot);
		return;
	}
	const [dx, dz] = [target[0] - self.x, target[2] - self.z];
	const distance = flat([dx, 0, dz]);
	const others = othersNear(world, crowd, self, pace, mesh.settings);
	if (next === points.length - 1 && (distance <= THERE || isAsNear(world, crowd, self, target, distance))) {
		const near = read(world, Path, 'near')[slot] === 1;
		const why = near ? 'It is as near to its goal as it can get.' : 'It is at its goal.';
		end(world, slot, near ? 'near' : 'arrived', why, mesh.print);
		return;
	}
	const speed = Math.min(pace, distance / DT);
	const [ux, uz] = distance === 0 ? [0, 0] : [dx / distance, dz / distance];
	const aside = others.length > 0 ? ASIDE : 0;
	const wish = [(ux - aside * uz) * speed, (uz + aside * ux) * speed] as const;
	const clear = others.length > 0 ? keepClear(self, wish, pace, others) : wish;
	const [vx, vz] = onMesh(world, mesh, place, self, clear);
	steer(world, slot, vx, vz);
	if (vx * vx + vz * vz > 0.01 * pace * pace) face(world, slot, [vx, 0, vz]);
	if (floats(world, slot)) rise(world, slot, climb(mesh, place, self, lift, [vx, vz], 2 * pace + 1));
}

/** Returns true if an entity looks along its path on this tick. */
const looks = ({ tick }: World, slot: number): boolean => (tick + slot) % LOOK_EVERY === 0;

function sees(world: World, mesh: NavMesh, place: number, { x, z }: Body, target: Vector): boolean {
	spend(world, 'searched', cellsMet(mesh, target[0] - x, target[2] - z));
	return walkLine(mesh, place, [x, z], [target[0], target[2]]) !== null;
}

/** Returns the point to walk to: the next one once it is reached, or when the one after it is in sight from near it. */
function nextPoint(
	world: World,
	mesh: NavMesh,
	slot: number,
	points: readonly Vector[],
	self: Body,
	place: number,
	pace: number,
): number {
	const before = read(world, Path, 'next')[slot]!;
	let next = before;
	const close = 2 * self.radius + mesh.settings.cell_size;
	while (next < points.length - 1) {
		const [x, , z] = points[next]!;
		const distance = flat([x - self.x, 0, z - self.z]);
		const passed = distance <= Math.max(THERE, pace * DT);
		if (!passed && (distance > close || place < 0 || !sees(world, mesh, place, self, points[next + 1]!)))
			break;
		next++;
	}
	if (next !== before) write(world, Path, 'next')[slot] = next;
	return next;
}

/** Returns true if others that are at the goal, or arrived earlier, leave no room to get nearer. */
function isAsNear(
	world: World,
	{ grid, members, widest }: Crowd,
	self: Member,
	target: Vector,
	distance: number,
): boolean {
	const goal = read(world, Path, 'goal');
	if (distance > FARTHEST + self.radius) return false;
	const reach = (self.radius + widest) * 1.1 + THERE;
	let met = false;
	let looks = 0;
	eachIn(grid, self.x - reach, self.z - reach, self.x + reach, self.z + reach, (entry) => {
		looks++;
		const other = members[entry]!;
		if (met || other === self || other.yields || other.speed > 0) return;
		if (other.high <= self.low || other.low >= self.high) return;
		const touch = (self.radius + other.radius) * 1.1 + THERE;
		if (flat([other.x - self.x, 0, other.z - self.z]) > touch) return;
		const isSame =
			other.stands && [0, 1, 2].every((i) => goal[other.slot * 3 + i] === goal[self.slot * 3 + i]);
		const covers = flat([other.x - target[0], 0, other.z - target[2]]) <= self.radius + other.radius;
		met = isSame || covers;
	});
	spend(world, 'searched', looks);
	return met;
}
