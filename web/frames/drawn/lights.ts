/** Lights in id order, with positions and directions. Their entities need no mesh. */

import { type LIGHT_KINDS, Light } from '../../../shared/components/light.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import type { Vector } from '../../../shared/contract/vector.ts';
import { each, get, versionOf } from '../../sim/core/world.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import type { DrawnBlock } from './drawn.ts';

export interface FrameLight {
	/** Id of the entity. */
	readonly id: number;
	readonly kind: (typeof LIGHT_KINDS)[number];
	readonly position: Vector;
	/** Direction of the light. Its length does not matter. */
	readonly direction: Vector;
	/** Red, green and blue, sRGB from 0 to 1. */
	readonly color: Vector;
	readonly intensity: number;
	/** Range in metres; 0 means unlimited. */
	readonly range: number;
	/** Width of the cone (deg). */
	readonly angle: number;
	readonly shadows: boolean;
}

/** Returns a vector turned by a unit quaternion. */
function rotate([x, y, z]: Vector, q: ArrayLike<number>, offset: number): Vector {
	const [a, b, c, w] = [q[offset]!, q[offset + 1]!, q[offset + 2]!, q[offset + 3]!];
	const tx = 2 * (b * z - c * y);
	const ty = 2 * (c * x - a * z);
	const tz = 2 * (a * y - b * x);
	return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

export const lights: DrawnBlock<readonly FrameLight[]> = {
	version: (world) => {
		const lightVersion = versionOf(world, Light, ...Object.keys(Light.fields));
		// Without lights, movements do not matter.
		if (lightVersion === 0) return 0;
		return Math.max(
			lightVersion,
			versionOf(world, LocalTransform, 'position', 'rotation', 'scale'),
			versionOf(world, Parent, 'entity'),
		);
	},
	read(world) {
		const frameLights: FrameLight[] = [];
		let poses: ReturnType<typeof currentPoses> | undefined;
		each(world, [Light, LocalTransform], (slot) => {
			const { color, direction, shadows, ...rest } = get(world, slot, Light)!;
			poses ??= currentPoses(world);
			const positions = poses.position as Float32Array;
			frameLights.push({
				...rest,
				id: slot,
				color: [color[0], color[1], color[2]],
				shadows: shadows === 1,
				position: [positions[slot * 3]!, positions[slot * 3 + 1]!, positions[slot * 3 + 2]!],
				direction: rotate(direction, poses.rotation as Float32Array, slot * 4),
			});
		});
		return frameLights;
	},
};
