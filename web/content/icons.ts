/**
 * Icons of goods, drawn from their models without a GPU. `npm run models` writes them to public/pictures/items.
 * Owns: the light, the view and the size of an icon.
 */

import { encode } from 'fast-png';
import { readGlb } from '../../relay/generate/procedural/glb.ts';
import type { Sculpture } from '../../relay/generate/procedural/sculpture.ts';
import { GOODS } from './models/goods.ts';
import { MODELS } from './models/index.ts';

/** Models that have an icon, by the names of their files. */
export const ICONS: Readonly<Record<string, () => Sculpture>> = {
	...GOODS,
	bread: MODELS.bread!,
	coin: MODELS.coin!,
	sack: MODELS.sack!,
};

/** Width and height of an icon (pixels). */
const ICON_PIXELS = 64;
/** Samples along the edge of a pixel. */
const SAMPLES = 3;
/** Width of the empty rim (pixels). */
const RIM_PIXELS = 3;
/** Turn of the model about the vertical (rad). */
const TURN = 0.5;
/** Tilt of the model towards the eye (rad). */
const TILT = 0.45;
/** Direction to the light in view space: left, above, and in front. */
const LIGHT = [-0.45, 0.72, 0.53] as const;
const AMBIENT_LIGHT = 0.5;
const SUN_LIGHT = 0.85;

type Point = readonly [number, number, number];

interface Triangle {
	readonly corners: readonly [Point, Point, Point];
	/** Linear red, green and blue. */
	readonly color: Point;
}

/** Returns a point in view space: to the right, upwards, and towards the eye. Models face -z. */
function toViewSpace([x, y, z]: Point): Point {
	const [sin, cos] = [Math.sin(TURN), Math.cos(TURN)];
	const [right, near] = [-x * cos + z * sin, -z * cos - x * sin];
	return [right, y * Math.cos(TILT) - near * Math.sin(TILT), y * Math.sin(TILT) + near * Math.cos(TILT)];
}

function trianglesOf(file: Uint8Array): Triangle[] {
	const { document, numbers } = readGlb(file);
	return document.meshes[0]!.primitives.flatMap(({ attributes, indices }) => {
		const positions = numbers(attributes.POSITION);
		const colors = numbers(attributes.COLOR_0);
		const index = numbers(indices);
		const pointAt = (i: number): Point =>
			toViewSpace([positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!]);
		const colorAt = (i: number): Point => [colors[i * 4]!, colors[i * 4 + 1]!, colors[i * 4 + 2]!];
		return Array.from({ length: index.length / 3 }, (_, at): Triangle => {
			const vertices = [index[at * 3]!, index[at * 3 + 1]!, index[at * 3 + 2]!];
			const vertexColors = vertices.map(colorAt);
			const mean = (part: 0 | 1 | 2): number =>
				(vertexColors[0]![part] + vertexColors[1]![part] + vertexColors[2]![part]) / 3 / 255;
			const corners = vertices.map(pointAt) as [Point, Point, Point];
			return { corners, color: [mean(0), mean(1), mean(2)] };
		});
	});
}

/** Returns the light on a triangle, which is visible from both sides. */
function lightOn([a, b, c]: Triangle['corners']): number {
	const [u, v] = [subtract(b, a), subtract(c, a)];
	const normal: Point = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
	const length = Math.hypot(...normal) || 1;
	const side = normal[2] < 0 ? -1 : 1;
	const facing = (side * (normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2])) / length;
	return AMBIENT_LIGHT + SUN_LIGHT * Math.max(0, facing);
}

const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Returns the sRGB byte of a linear value. */
function byteOf(linear: number): number {
	const value = Math.min(1, Math.max(0, linear));
	return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

/** Draws a model file as a PNG with a transparent background. */
export function iconOf(file: Uint8Array): Uint8Array {
	const triangles = trianglesOf(file);
	const points = triangles.flatMap(({ corners }) => corners);
	const range = (axis: 0 | 1): readonly [number, number] => [
		Math.min(...points.map((point) => point[axis])),
		Math.max(...points.map((point) => point[axis])),
	];
	const [[left, right], [low, high]] = [range(0), range(1)];
	const edge = ICON_PIXELS * SAMPLES;
	const scale = (edge - 2 * RIM_PIXELS * SAMPLES) / Math.max(right - left, high - low);
	const samples = new Float32Array(edge * edge * 3);
	const depths = new Float32Array(edge * edge).fill(Number.NEGATIVE_INFINITY);
	for (const { corners, color } of triangles) {
		const light = lightOn(corners);
		const [a, b, c] = corners.map(
			([x, y, z]): Point => [
				edge / 2 + (x - (left + right) / 2) * scale,
				edge / 2 - (y - (low + high) / 2) * scale,
				z,
			],
		) as [Point, Point, Point];
		const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
		if (area === 0) continue;
		const first = (axis: 0 | 1) => Math.max(0, Math.floor(Math.min(a[axis], b[axis], c[axis])));
		const last = (axis: 0 | 1) => Math.min(edge - 1, Math.ceil(Math.max(a[axis], b[axis], c[axis])));
		for (let y = first(1); y <= last(1); y++)
			for (let x = first(0); x <= last(0); x++) {
				const [px, py] = [x + 0.5, y + 0.5];
				const second = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
				const third = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
				if (second < 0 || third < 0 || second + third > 1) continue;
				const depth = a[2] + second * (b[2] - a[2]) + third * (c[2] - a[2]);
				const sampleIndex = y * edge + x;
				if (depth <= depths[sampleIndex]!) continue;
				depths[sampleIndex] = depth;
				samples.set(
					color.map((part) => part * light),
					sampleIndex * 3,
				);
			}
	}
	const data = new Uint8Array(ICON_PIXELS * ICON_PIXELS * 4);
	for (let y = 0; y < ICON_PIXELS; y++)
		for (let x = 0; x < ICON_PIXELS; x++) {
			const sum = [0, 0, 0];
			let hits = 0;
			for (let i = 0; i < SAMPLES * SAMPLES; i++) {
				const sampleIndex = (y * SAMPLES + Math.floor(i / SAMPLES)) * edge + x * SAMPLES + (i % SAMPLES);
				if (depths[sampleIndex] === Number.NEGATIVE_INFINITY) continue;
				hits++;
				for (let part = 0; part < 3; part++) sum[part]! += samples[sampleIndex * 3 + part]!;
			}
			const offset = (y * ICON_PIXELS + x) * 4;
			if (hits > 0) for (let part = 0; part < 3; part++) data[offset + part] = byteOf(sum[part]! / hits);
			data[offset + 3] = Math.round((255 * hits) / (SAMPLES * SAMPLES));
		}
	return encode(
		{ width: ICON_PIXELS, height: ICON_PIXELS, data, channels: 4, depth: 8 },
		{ zlib: { level: 9 } },
	);
}
