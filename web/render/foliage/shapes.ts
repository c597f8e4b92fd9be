/**
 * Geometry of plants: a few triangles each.
 * Owns: the vertices. Sizes are in metres at scale 1; the foot is at the origin.
 */

import {
	BufferAttribute,
	BufferGeometry,
	Color,
	ConeGeometry,
	CylinderGeometry,
	IcosahedronGeometry,
	Matrix4,
} from 'three/webgpu';
import { plainShape, shapeOf } from '../geometries.ts';
import type { ModelPart } from '../models.ts';
import {
	BARK,
	BLADE,
	BLADE_TIP,
	BLOSSOM,
	LEAF,
	LEAF_DARK,
	NEEDLE,
	NEEDLE_DARK,
	ROCK,
	ROCK_DARK,
} from '../palette.ts';

/** Part of a plant. `low` and `high`: colours at its foot and top. `dyed`: the layer's colour tints it. */
interface Piece {
	readonly geometry: BufferGeometry;
	readonly low: number;
	readonly high: number;
	readonly isDyed: boolean;
}

/** Returns a round body of leaves. `flat`: its height over its width. */
const blob = (radius: number, x: number, y: number, z: number, flat = 1): BufferGeometry =>
	new IcosahedronGeometry(radius, 1)
		.applyMatrix4(new Matrix4().makeScale(1, flat, 1))
		.applyMatrix4(new Matrix4().makeTranslation(x, y, z));

const leaves = (geometry: BufferGeometry): Piece => ({ geometry, low: LEAF_DARK, high: LEAF, isDyed: true });

const trunk = (radius: number, height: number): Piece => ({
	geometry: new CylinderGeometry(radius * 0.6, radius, height, 6, 1, true).translate(0, height / 2, 0),
	low: BARK,
	high: BARK,
	isDyed: false,
});

const tier = (radius: number, height: number, y: number): Piece => ({
	geometry: new ConeGeometry(radius, height, 7, 1).translate(0, y + height / 2, 0),
	low: NEEDLE_DARK,
	high: NEEDLE,
	isDyed: true,
});

/** Returns a tuft of blades that lean outwards, each of three triangles. */
function blades(count: number, height: number, width: number): BufferGeometry {
	const positions: number[] = [];
	for (let i = 0; i < count; i++) {
		const turn = (i / count) * Math.PI * 2 + i * 0.7;
		const [x, z] = [Math.cos(turn), Math.sin(turn)];
		const bladeHeight = height * (0.7 + 0.3 * ((i * 7) % 5) * 0.25);
		const point = (out: number, up: number, aside: number): number[] => [
			x * out - z * aside,
			up,
			z * out + x * aside,
		];
		const [left, right] = [point(0.05, 0, -width), point(0.05, 0, width)];
		const [midLeft, midRight] = [
			point(0.09, bladeHeight * 0.55, -width * 0.7),
			point(0.09, bladeHeight * 0.55, width * 0.7),
		];
		const tip = point(0.22, bladeHeight, 0);
		positions.push(...left, ...right, ...midRight, ...left, ...midRight, ...midLeft);
		positions.push(...midLeft, ...midRight, ...tip);
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	// Normals point up, so blades are lit like the ground, seen from either side.
	const normals = positions.map((_, i) => (i % 3 === 1 ? 1 : 0));
	geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	return geometry;
}

/** Returns a stone: an icosphere with some vertices pushed inwards. */
function stone(): BufferGeometry {
	const geometry = new IcosahedronGeometry(0.5, 1);
	const position = geometry.getAttribute('position');
	for (let i = 0; i < position.count; i++) {
		const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
		const push = 0.82 + 0.18 * Math.sin(x * 9 + Math.cos(z * 7) * 2 + y * 5);
		position.setXYZ(i, x * push * 1.15, y * push * 0.75 + 0.22, z * push);
	}
	geometry.computeVertexNormals();
	return geometry;
}

function piecesOf(mesh: string): readonly Piece[] {
	switch (mesh) {
		case 'grass':
			return [{ geometry: blades(7, 0.55, 0.035), low: BLADE, high: BLADE_TIP, isDyed: true }];
		case 'flower':
			return [
				{ geometry: blades(4, 0.3, 0.03), low: BLADE, high: BLADE_TIP, isDyed: false },
				{
					geometry: new IcosahedronGeometry(0.07, 0).translate(0, 0.4, 0),
					low: BLOSSOM,
					high: BLOSSOM,
					isDyed: true,
				},
				{ geometry: blades(1, 0.38, 0.012), low: BLADE, high: BLADE, isDyed: false },
			];
		case 'bush':
			return [
				leaves(blob(0.55, 0, 0.4, 0, 0.85)),
				leaves(blob(0.4, 0.4, 0.3, 0.15, 0.85)),
				leaves(blob(0.36, -0.32, 0.28, -0.22, 0.85)),
			];
		case 'tree':
			return [
				trunk(0.22, 2.2),
				leaves(blob(1.35, 0, 3.1, 0, 0.9)),
				leaves(blob(0.95, 0.75, 2.5, 0.3, 0.85)),
				leaves(blob(0.85, -0.6, 2.7, -0.5, 0.85)),
				leaves(blob(0.8, 0.1, 4, 0.1, 0.9)),
			];
		case 'pine':
			return [trunk(0.18, 1.4), tier(1.35, 2.2, 0.9), tier(1.05, 2, 2.2), tier(0.7, 1.9, 3.5)];
		case 'rock':
			return [{ geometry: stone(), low: ROCK_DARK, high: ROCK, isDyed: true }];
		default:
			return [
				{
					geometry: plainShape(shapeOf(mesh), true).translate(0, mesh === 'plane' ? 0 : 0.5, 0),
					low: LEAF,
					high: LEAF,
					isDyed: true,
				},
			];
	}
}

/**
 * Returns the geometry of a plant, not indexed. A primitive in leaf colours replaces an unknown mesh.
 * Attributes: `position` (m) and `normal`, 3 numbers each; `leaf`, linear RGB and 1 if the layer's colour
 * tints it, otherwise 0; `sway`, 1 number: how strongly the wind moves the vertex, 0 at the foot.
 */
export function plantShape(mesh: string): BufferGeometry {
	const pieces = piecesOf(mesh).map((piece) => {
		const { geometry } = piece;
		return { ...piece, geometry: geometry.index === null ? geometry : geometry.toNonIndexed() };
	});
	const heights = pieces.map(({ geometry }) => {
		geometry.computeBoundingBox();
		return geometry.boundingBox!.max.y;
	});
	const tallest = Math.max(...heights, 0.01);
	const positions: number[] = [];
	const normals: number[] = [];
	const leaf: number[] = [];
	const sway: number[] = [];
	for (const { geometry, low, high, isDyed } of pieces) {
		const { min, max } = geometry.boundingBox!;
		const position = geometry.getAttribute('position');
		const normal = geometry.getAttribute('normal');
		const color = new Color();
		for (let i = 0; i < position.count; i++) {
			const y = position.getY(i);
			positions.push(position.getX(i), y, position.getZ(i));
			normals.push(normal.getX(i), normal.getY(i), normal.getZ(i));
			color.setHex(low).lerp(new Color(high), (y - min.y) / Math.max(max.y - min.y, 1e-6));
			leaf.push(color.r, color.g, color.b, isDyed ? 1 : 0);
			sway.push(swayAt(y, tallest));
		}
		geometry.dispose();
	}
	const plant = new BufferGeometry();
	plant.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	plant.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	plant.setAttribute('leaf', new BufferAttribute(Float32Array.from(leaf), 4));
	plant.setAttribute('sway', new BufferAttribute(Float32Array.from(sway), 1));
	return plant;
}

/** Returns the sway at height `y` (m) of a plant whose top is at `tallest` (m). */
const swayAt = (y: number, tallest: number): number => (Math.max(y, 0) / tallest) ** 2 * tallest;

/**
 * Returns a model's part as a plant: its rest pose, with `sway`. The other attributes are shared with the
 * part.
 */
export function modelShape({ geometry, rest }: ModelPart, tallest: number): BufferGeometry {
	const shape = new BufferGeometry();
	for (const name of ['normal', 'uv', 'uv1', 'color']) {
		const attribute = geometry.getAttribute(name);
		if (attribute !== undefined) shape.setAttribute(name, attribute);
	}
	const position = rest ?? geometry.getAttribute('position');
	const sway = Float32Array.from({ length: position.count }, (_, i) =>
		swayAt(position.getY(i), Math.max(tallest, 0.01)),
	);
	shape.setAttribute('position', position);
	shape.setAttribute('sway', new BufferAttribute(sway, 1));
	shape.setIndex(geometry.index);
	return shape;
}

/** Returns true if both sides of a plant's triangles are visible. */
export const isThin = (mesh: string): boolean => isSmall(mesh) || mesh === 'plane';

/** Returns true if a plant is large enough that its shadow is worth drawing. */
export const castsShadow = (mesh: string): boolean => !isSmall(mesh);

/** Returns true if plants of this kind are usually many and small, so that distant ones can be omitted. */
export const isSmall = (mesh: string): boolean => mesh === 'grass' || mesh === 'flower';
