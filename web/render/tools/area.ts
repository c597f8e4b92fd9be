/**
 * Rectangles and boxes in the picture.
 * Owns: the marks of their outlines, and the search for entities inside a rectangle.
 */

import { type Box3, Vector3 } from 'three/webgpu';
import type { FrameBlocks } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import type { EntityRef } from '../messages.ts';
import { BRASS_LINE } from '../palette.ts';
import { fill, inArea, outlineStroke, stroke } from './marks.ts';
import { readPose } from './pose.ts';
import type { Sight } from './sight.ts';
import type { Mark, Point } from './tool.ts';

function cornersOf([ax, ay]: Point, [bx, by]: Point): Point[] {
	return [
		[ax, ay],
		[bx, ay],
		[bx, by],
		[ax, by],
	];
}

/** Returns the outline of a rectangle. */
export function rectangleMarks(from: Point, to: Point): Mark[] {
	const corners = cornersOf(from, to);
	return [fill(corners, BRASS_LINE, 0.12), outlineStroke(corners, BRASS_LINE, 1.5)];
}

/** Returns the edges of a box in the picture. */
export function boxMarks({ min, max }: Box3, sight: Sight): Mark[] {
	const corners = Array.from({ length: 8 }, (_, i) =>
		sight.pointOf(new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z)),
	);
	return corners.flatMap((from, i) =>
		[1, 2, 4].flatMap((bit) => {
			const to = (i & bit) === 0 ? corners[i | bit] : null;
			return from === null || to == null ? [] : [stroke([from, to], BRASS_LINE, 2)];
		}),
	);
}

/**
 * Returns the entities inside a rectangle: drawn entities that are completely inside, and entities whose sign
 * is inside.
 */
export function entitiesIn(
	[from, to]: readonly [Point, Point],
	blocks: FrameBlocks,
	signs: readonly (EntityRef & { readonly position: readonly [number, number, number] })[],
	sight: Sight,
): EntityRef[] {
	const area = cornersOf(from, to);
	const boxes = boxesOf(blocks);
	const entities: EntityRef[] = [];
	for (let row = 0; row < blocks.rows.ids.length; row++) {
		const { place, turn, size } = readPose(boxes, row * POSE_STRIDE);
		const isInside = [0, 1, 2, 3, 4, 5, 6, 7].every((corner) => {
			const offset = new Vector3(corner & 1, (corner >> 1) & 1, corner >> 2).subScalar(0.5).multiply(size);
			const point = sight.pointOf(offset.applyQuaternion(turn).add(place));
			return point !== null && inArea(area, point);
		});
		if (isInside) entities.push({ id: blocks.rows.ids[row]!, generation: blocks.rows.generations[row]! });
	}
	for (const { id, generation, position } of signs) {
		const point = sight.pointOf(new Vector3(...position));
		if (point !== null && inArea(area, point)) entities.push({ id, generation });
	}
	return entities;
}
