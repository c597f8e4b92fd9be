/**
 * Handles in the picture, and what dragging them comes to.
 * Owns: the geometry of the tools, with a camera and no picture.
 */

import { Box3, PerspectiveCamera, Quaternion, Vector3 } from 'three/webgpu';
import { expect, test } from 'vitest';
import { Cameras } from '../../../../web/render/cameras.ts';
import { isInside, raiseOnto } from '../../../../web/render/tools/footing.ts';
import { positionAgainst, positionClearOf } from '../../../../web/render/tools/landing.ts';
import { move } from '../../../../web/render/tools/move.ts';
import {
	describeOutline,
	dragOutline,
	outlineHandles,
	outlineMarks,
} from '../../../../web/render/tools/outlines.ts';
import { applyChange, carryAlong, type Pose } from '../../../../web/render/tools/pose.ts';
import { scale } from '../../../../web/render/tools/scale.ts';
import { Sight } from '../../../../web/render/tools/sight.ts';
import type { Base, Change, Point, Tool } from '../../../../web/render/tools/tool.ts';
import { turn } from '../../../../web/render/tools/turn.ts';

const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

/** Returns a picture of 800 x 600 from a place, looking at the origin. */
function seenFrom(x: number, y: number, z: number): Sight {
	const lens = new PerspectiveCamera(45, 800 / 600, 0.1, 1000);
	lens.position.set(x, y, z);
	lens.lookAt(0, 0, 0);
	lens.updateMatrixWorld();
	return new Sight(lens, new Cameras(), 800, 600);
}

const at = (pivot: Vector3, turned = new Quaternion()): Base => ({
	pivot,
	axes: [
		X.clone().applyQuaternion(turned),
		Y.clone().applyQuaternion(turned),
		Z.clone().applyQuaternion(turned),
	],
});

/** Returns the name of the handle at a point. */
function handleAt(tool: Tool, base: Base, sight: Sight, point: Point): string | null {
	const hits = tool
		.handles(base, sight)
		.map(({ name, distance }) => ({ name, away: distance(point) }))
		.sort((a, b) => a.away - b.away);
	return hits[0] !== undefined && hits[0].away <= 7 ? hits[0].name : null;
}

/** Drags a handle from one place of the world to another. */
function dragged(
	tool: Tool,
	name: string,
	base: Base,
	sight: Sight,
	from: Vector3,
	to: Vector3,
	step: number | null,
) {
	const held = (position: Vector3) => {
		const point = sight.pointOf(position)!;
		return { point, ray: sight.rayThrough(point) };
	};
	return tool.drag(name, base, sight, held(from), step)(held(to));
}

const movedBy = (change: Change): number[] => {
	if (change.kind !== 'move') throw new Error(change.kind);
	return change.by.toArray().map((part) => Math.round(part * 1000) / 1000);
};

test('a position and the ray through its point of the picture correspond', () => {
	const sight = seenFrom(8, 6, 8);
	for (const position of [new Vector3(0, 0, 0), new Vector3(2, 1, -1), new Vector3(-3, 0, 2)]) {
		const ray = sight.rayThrough(sight.pointOf(position)!);
		expect(ray.distanceToPoint(position)).toBeLessThan(1e-4);
	}
	expect(sight.pointOf(new Vector3(20, 15, 20))).toBeNull();
});

test('handles keep their size in the picture, and an axis towards the eye is hidden', () => {
	for (const distance of [5, 50]) {
		const sight = seenFrom(0, 0, distance);
		const [px, py] = sight.pointOf(new Vector3(84 * sight.metresPerPixel(new Vector3()), 0, 0))!;
		expect([px, py]).toEqual([expect.closeTo(484, 0), expect.closeTo(300, 3)]);
		expect(handleAt(move, at(new Vector3()), sight, [470, 301])).toBe('x');
		expect(handleAt(move, at(new Vector3()), sight, [400, 216])).toBe('y');
		expect(handleAt(move, at(new Vector3()), sight, [400, 300])).toBe('surface');
		expect(handleAt(move, at(new Vector3()), sight, [432, 268])).toBe('xy');
		expect(handleAt(move, at(new Vector3()), sight, [600, 500])).toBeNull();
		expect(move.handles(at(new Vector3()), sight).map(({ name }) => name)).not.toContain('z');
	}
});

test('a move follows the pointer along its axis or in its plane, and ends on the grid of the world', () => {
	const sight = seenFrom(8, 6, 8);
	const base = at(new Vector3(0.2, 0.5, 0));
	const to = new Vector3(2.1, 0.5, 0);
	expect(movedBy(dragged(move, 'x', base, sight, base.pivot, to, null))).toEqual([1.9, 0, 0]);
	expect(movedBy(dragged(move, 'x', base, sight, base.pivot, to, 0.5))).toEqual([1.8, 0, 0]);
	const beside = new Vector3(1.3, 0.5, -1.6);
	expect(movedBy(dragged(move, 'xz', base, sight, base.pivot, beside, 0.5))).toEqual([1.3, 0, -1.5]);
	// An entity's own axes have no grid in the world: the way itself goes in steps.
	const turned = at(new Vector3(0.2, 0.5, 0), new Quaternion().setFromAxisAngle(Y, Math.PI / 4));
	const own = dragged(
		move,
		'x',
		turned,
		sight,
		base.pivot,
		base.pivot.clone().addScaledVector(turned.axes[0], 1.1),
		0.5,
	);
	expect(Math.hypot(...movedBy(own))).toBeCloseTo(1, 3);
});

test('a ring turns about its axis by the angle of the pointer, edge-on too', () => {
	const base = at(new Vector3());
	const angleOf = (change: Change): number => {
		if (change.kind !== 'turn') throw new Error(change.kind);
		const { x, y, z, w } = change.turn;
		return Math.round((2 * Math.atan2(x + y + z, w) * 180) / Math.PI);
	};
	const above = seenFrom(0, 10, 0.01);
	expect(angleOf(dragged(turn, 'y', base, above, X, Z, null))).toBe(-90);
	expect(angleOf(dragged(turn, 'y', base, above, X, new Vector3(1, 0, 0.3), 15))).toBe(-15);
	const front = seenFrom(0, 0, 10);
	const radius = 84 * front.metresPerPixel(base.pivot);
	const nearest = new Vector3(0, 0, radius);
	const quarter = (radius * Math.PI) / 2;
	// To the right along the ring's front is its own sense about y.
	const far = dragged(turn, 'y', base, front, nearest, new Vector3(quarter, 0, radius), null);
	expect(angleOf(far)).toBeGreaterThan(60);
	expect(angleOf(dragged(turn, 'x', base, seenFrom(10, 0, 0), Y, Z, 90))).toBe(90);
});

test('a box scales along its axis, the middle one along all, in steps and never to zero', () => {
	const sight = seenFrom(0, 0, 10);
	const base = at(new Vector3());
	const tip = 84 * sight.metresPerPixel(base.pivot);
	const by = (name: string, to: Vector3, step: number | null) =>
		dragged(scale, name, base, sight, new Vector3(tip, 0, 0), to, step);
	expect(by('x', new Vector3(tip * 2, 0, 0), 0.1)).toEqual({
		kind: 'scale',
		by: [expect.closeTo(2, 5), 1, 1],
	});
	expect(by('x', new Vector3(tip * 1.26, 0, 0), 0.1)).toEqual({
		kind: 'scale',
		by: [expect.closeTo(1.3, 5), 1, 1],
	});
	expect(by('x', new Vector3(-tip, 0, 0), null)).toEqual({ kind: 'scale', by: [0.01, 1, 1] });
	const all = by('all', new Vector3(tip, (tip * 100) / 84, 0), null);
	expect(all).toMatchObject({ by: [expect.closeTo(2, 1), expect.closeTo(2, 1), expect.closeTo(2, 1)] });
});

test('several entities turn and grow round their middle, and children keep their place on their parents', () => {
	const rest = (position: Vector3): Pose => ({
		place: position,
		turn: new Quaternion(),
		size: new Vector3(1, 1, 1),
	});
	const base = at(new Vector3());
	const quarter = new Quaternion().setFromAxisAngle(Y, Math.PI / 2);
	const from = rest(new Vector3(2, 1, 0));
	const to = applyChange(from, { kind: 'turn', turn: quarter }, base);
	expect(to.place.distanceTo(new Vector3(0, 1, -2))).toBeLessThan(1e-9);
	const child = carryAlong(rest(new Vector3(3, 1, 0)), from, to);
	expect(child.place.distanceTo(new Vector3(0, 1, -3))).toBeLessThan(1e-9);
	const wide = applyChange(from, { kind: 'scale', by: [2, 1, 1] }, base);
	expect([wide.place.toArray(), wide.size.toArray()]).toEqual([
		[4, 1, 0],
		[2, 1, 1],
	]);
	expect(carryAlong(rest(new Vector3(3, 1, 0)), from, wide).place.toArray()).toEqual([6, 1, 0]);
});

test('a placed thing is on a surface, before a wall, and not inside another thing', () => {
	const cube = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
	const floor = positionAgainst({ point: new Vector3(3, 2, 1), normal: Y }, cube);
	expect(floor.toArray()).toEqual([3, 2.5, 1]);
	// A model stands on its place.
	const model = new Box3(new Vector3(-0.4, 0, -0.4), new Vector3(0.4, 2, 0.4));
	expect(positionAgainst({ point: new Vector3(0, 1, 0), normal: Y }, model).toArray()).toEqual([0, 1, 0]);
	expect(
		positionAgainst({ point: new Vector3(3, 2, 1), normal: X.clone().negate() }, cube).toArray(),
	).toEqual([2.5, 2, 1]);
	const other = cube.clone().translate(new Vector3(0.8, 0.5, 0));
	expect(positionClearOf(new Vector3(0, 0.5, 0), cube, [other]).x).toBeCloseTo(-0.2, 6);
	// Five that are put at the same point stand round it.
	const five: Box3[] = [];
	for (let i = 0; i < 5; i++) {
		const at = positionClearOf(new Vector3(0, 0.5, 0), cube, five);
		expect([at.y, at.length() < 1.2]).toEqual([0.5, true]);
		five.push(cube.clone().translate(at));
	}
	const [left, right] = [-0.9, 0.9].map((x) => cube.clone().translate(new Vector3(x, 0.5, 0)));
	const squeezed = cube.clone().translate(positionClearOf(new Vector3(0, 0.5, 0), cube, [left!, right!]));
	for (const item of [left!, right!]) {
		const { x, y, z } = squeezed.clone().intersect(item).getSize(new Vector3());
		expect(Math.min(x, y, z)).toBeLessThan(0.003);
	}
});

test('a thing on a canopy rests on the highest point below its foot, and one beside it is not inside', () => {
	const model = new Box3(new Vector3(-0.4, 0, -0.4), new Vector3(0.4, 2, 0.4));
	/** A round canopy of radius 2 whose middle is 4 m high; it is open below. */
	const canopy = ({ x, y, z }: Vector3) => {
		const square = 4 - x * x - z * z;
		const surfaces = square < 0 ? [] : [4 + Math.sqrt(square), 4 - Math.sqrt(square)];
		return surfaces.find((height) => height <= y) ?? null;
	};
	const side = new Vector3(1.2, canopy(new Vector3(1.2, 9, 0))!, 0);
	expect(isInside(side, model, canopy)).toBe(true);
	const rested = raiseOnto(side, model, canopy);
	expect([rested.x, rested.z]).toEqual([1.2, 0]);
	expect(rested.y).toBeCloseTo(canopy(new Vector3(0.8, 9, 0))!, 1);
	expect(isInside(rested, model, canopy)).toBe(false);
	// On the ground below the canopy there is room for it, and for a taller one there is none.
	const heights = [1.5, 3].map((height) => new Box3(model.min, new Vector3(0.4, height, 0.4)));
	expect(heights.map((box) => isInside(new Vector3(0, 0, 0), box, canopy))).toEqual([false, true]);
});

test('a patrol is a closed line with a number at each place, and a place is dragged on its height, in steps', () => {
	const sight = seenFrom(8, 9, 8);
	const patrol = {
		key: 'patrol 4',
		waypoints: Array.from({ length: 12 }, (_, i) => [(i % 4) - 2, 0.5, Math.floor(i / 4) - 1] as const),
	};
	const [line] = outlineMarks(patrol, sight).filter(({ kind, alpha }) => kind === 'stroke' && alpha === 1);
	expect(line!.points).toHaveLength(13);
	expect(line!.points[12]).toEqual(line!.points[0]);
	const handles = outlineHandles(patrol, sight);
	expect(handles).toHaveLength(12);
	// A disc, its edge, and a line for each digit.
	expect([handles[8]!.marks.length, handles[9]!.marks.length]).toEqual([3, 4]);
	const [, second] = handles;
	const from = new Vector3(...patrol.waypoints[1]!);
	expect(second!.distance(sight.pointOf(from)!)).toBeLessThan(1);
	const held = (place: Vector3) => ({
		point: sight.pointOf(place)!,
		ray: sight.rayThrough(sight.pointOf(place)!),
	});
	expect(dragOutline(patrol, 'x', held(from), 0.5)).toBeNull();
	const to = dragOutline(patrol, second!.name, held(from), 0.5)!(held(new Vector3(1.6, 0.5, 2.1)));
	expect(to).toEqual({ ...patrol, waypoints: patrol.waypoints.with(1, [1.5, 0.5, 2]) });
	expect(describeOutline(to, second!.name)).toBe('waypoint 2: 1.5, 0.5, 2 m');
});
