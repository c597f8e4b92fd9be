/**
 * Rectangles and boxes in the picture.
 * Owns: their outlines, and the search for entities inside a rectangle.
 */

import { type Box3, Vector3 } from 'three/webgpu';
import type { FrameBlocks } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import type { EntityRef } from '../messages.ts';
import { BRASS_LINE } from '../palette.ts';
import { fill, inArea, round, stroke } from './marks.ts';
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
	return [fill(corners, BRASS_LINE, 0.12), round(corners, BRASS_LINE, 1.5)];
}

/** Returns the edges of a box in the picture. */
export function edgesOf({ min, max }: Box3, sight: Sight): Mark[] {
	const corners = Array.from({ length: 8 }, (_, i) =>
		sight.at(new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z)),
	);
	return corners.flatMap((from, i) =>
		[1, 2, 4].flatMap((bit) => {
			const to = (i & bit) === 0 ? corners[i | bit] : null;
			return from === null || to == null ? [] : [stroke([from, to], BRASS_LINE, 2)];
		}),
	);
}

/** Returns the entities inside a rectangle: drawn entities that are wholly inside, and those whose sign is inside. */
export function entitiesIn(
	[from, to]: readonly [Point, Point],
	blocks: FrameBlocks,
	signs: readonly (EntityRef & { readonly place: readonly [number, number, number] })[],
	sight: Sight,
): EntityRef[] {
	const area = cornersOf(from, to);
	const boxes = boxesOf(blocks);
	const found: EntityRef[] = [];
	for (let row = 0; row < blocks.rows.ids.length; row++) {
		const { place, turn, size } = readPose(boxes, row * POSE_STRIDE);
		const isInside = [0, 1, 2, 3, 4, 5, 6, 7].every((corner) => {
			const offset = new Vector3(corner & 1, (corner >> 1) & 1, corner >> 2).subScalar(0.5).multiply(size);
			const at = sight.at(offset.applyQuaternion(turn).add(place));
			return at !== null && inArea(area, at);
		});
		if (isInside) found.push({ id: blocks.rows.ids[row]!, generation: blocks.rows.generations[row]! });
	}
	for (const { id, generation, place } of signs) {
		const at = sight.at(new Vector3(...place));
		if (at !== null && inArea(area, at)) found.push({ id, generation });
	}
	return found;
}
