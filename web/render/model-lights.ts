/** Lights of entities' models. Owns: the conversion of each light into a light of the frame, in world space. */

import { Color, LinearSRGBColorSpace, Quaternion, SRGBColorSpace, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameLight } from '../frames/frames.ts';
import { POSE_STRIDE } from './interpolate.ts';

/** Candela of a light of intensity 1. three.js divides reflected light by pi. */
const CANDELA = Math.PI;

/** Returns the lights of the models of a frame, in the order of its rows. */
export function modelLights({ rows, poses, models }: FrameBlocks): FrameLight[] {
	const lights = rows.meshes.map((name) => models[name]?.lights ?? []);
	if (lights.every(({ length }) => length === 0)) return [];
	const result: FrameLight[] = [];
	const [point, turn, size] = [new Vector3(), new Quaternion(), new Vector3()];
	rows.mesh.forEach((mesh, row) => {
		const id = rows.ids[row]!;
		const offset = row * POSE_STRIDE;
		for (const { kind, position, direction, color, intensity, range, angle } of lights[mesh]!) {
			turn.fromArray(poses, offset + 3);
			size.fromArray(poses, offset + 7);
			const lightPosition = new Vector3(...position).multiply(size).applyQuaternion(turn);
			const { r, g, b } = new Color()
				.setRGB(...color, LinearSRGBColorSpace)
				.getRGB({ r: 0, g: 0, b: 0 }, SRGBColorSpace);
			result.push({
				id,
				kind,
				position: lightPosition.add(point.fromArray(poses, offset)).toArray(),
				direction: new Vector3(...direction).applyQuaternion(turn).toArray(),
				color: [r, g, b],
				intensity: intensity / CANDELA,
				range,
				angle: (angle * 2 * 180) / Math.PI,
				shadows: false,
			});
		}
	});
	return result;
}
