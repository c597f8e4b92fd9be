/**
 * Shapes of plants, made of a few triangles each.
 * Owns: vertices. Sizes are in metres for a scale of 1, with the foot at the origin.
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

/** One piece of a plant: its colour below and above, and whether it takes the colour of the layer. */
interface Piece {
	readonly geometry: BufferGeometry;
	readonly low: number;
	readonly high: number;
	readonly dyed: boolean;
}

const blob = (radius: number, x: number, y: number, z: number, flat = 1): BufferGeometry =>
	new IcosahedronGeometry(radius, 1)
		.applyMatrix4(new Matrix4().makeScale(1, flat, 1))
		.applyMatrix4(new Matrix4().makeTranslation(x, y, z));

const leaves = (geometry: BufferGeometry): Piece => ({ geometry, low: LEAF_DARK, high: LEAF, dyed: true });

const trunk = (radius: number, height: number): Piece => ({
	geometry: new CylinderGeometry(radius * 0.6, radius, height, 6, 1, true).translate(0, height / 2, 0),
	low: BARK,
	high: BARK,
	dyed: false,
});

const tier = (radius: number, height: number, y: number): Piece => ({
	geometry: new ConeGeometry(radius, height, 7, 1).translate(0, y + height / 2, 0),
	low: NEEDLE_DARK,
	high: NEEDLE,
	dyed: true,
});

/** A tuft of blades: each a triangle of two parts that leans outwards. */
function blades(count: number, height: number, width: number): BufferGeometry {
	const positions: number[] = [];
	for (let i = 0; i < count; i++) {
		const turn = (i / count) * Math.PI * 2 + i * 0.7;
		const [x, z] = [Math.cos(turn), Math.sin(turn)];
		const tall = height * (0.7 + 0.3 * ((i * 7) % 5) * 0.25);
		const at = (out: number, up: number, aside: number): number[] => [
			x * out - z * aside,
			up,
			z * out + x * aside,
		];
		const [left, right] = [at(0.05, 0, -width), at(0.05, 0, width)];
		const [midLeft, midRight] = [at(0.09, tall * 0.55, -width * 0.7), at(0.09, tall * 0.55, width * 0.7)];
		const tip = at(0.22, tall, 0);
		positions.push(...left, ...right, ...midRight, ...left, ...midRight, ...midLeft);
		positions.push(...midLeft, ...midRight, ...tip);
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	// Lit as the ground is that they stand on, from whichever side.
	const normals = positions.map((_, i) => (i % 3 === 1 ? 1 : 0));
	geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	return geometry;
}

/** A stone: a ball with some of its corners pushed in. */
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
			return [{ geometry: blades(7, 0.55, 0.035), low: BLADE, high: BLADE_TIP, dyed: true }];
		case 'flower':
			return [
				{ geometry: blades(4, 0.3, 0.03), low: BLADE, high: BLADE_TIP, dyed: false },
				{
					geometry: new IcosahedronGeometry(0.07, 0).translate(0, 0.4, 0),
					low: BLOSSOM,
					high: BLOSSOM,
					dyed: true,
				},
				{ geometry: blades(1, 0.38, 0.012), low: BLADE, high: BLADE, dyed: false },
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
			return [{ geometry: stone(), low: ROCK_DARK, high: ROCK, dyed: true }];
		default:
			return [
				{
					geometry: plainShape(shapeOf(mesh), true).translate(0, mesh === 'plane' ? 0 : 0.5, 0),
					low: LEAF,
					high: LEAF,
					dyed: true,
				},
			];
	}
}

/**
 * A plant, or the stand-in for a model that is not there, with `position`, `normal`, `leaf` (linear colour, and 1 where it takes that of its layer) and `sway` (how far it
 * gives to the wind: nothing at the foot). Not indexed.
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
	for (const { geometry, low, high, dyed } of pieces) {
		const { min, max } = geometry.boundingBox!;
		const place = geometry.getAttribute('position');
		const normal = geometry.getAttribute('normal');
		const color = new Color();
		for (let i = 0; i < place.count; i++) {
			const y = place.getY(i);
			positions.push(place.getX(i), y, place.getZ(i));
			normals.push(normal.getX(i), normal.getY(i), normal.getZ(i));
			color.setHex(low).lerp(new Color(high), (y - min.y) / Math.max(max.y - min.y, 1e-6));
			leaf.push(color.r, color.g, color.b, dyed ? 1 : 0);
			sway.push(swayAt(y, tallest));
		}
		geometry.dispose();
	}
	const made = new BufferGeometry();
	made.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	made.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	made.setAttribute('leaf', new BufferAttribute(Float32Array.from(leaf), 4));
	made.setAttribute('sway', new BufferAttribute(Float32Array.from(sway), 1));
	return made;
}

/** Returns the sway of a height of a plant in the wind. */
const swayAt = (y: number, tallest: number): number => (Math.max(y, 0) / tallest) ** 2 * tallest;

/** A part of a model as a plant: its vertices at rest, with `sway`. What is the part's own is shared with it. */
export function modelShape({ geometry, rest }: ModelPart, tallest: number): BufferGeometry {
	const shape = new BufferGeometry();
	for (const name of ['normal', 'uv', 'uv1', 'color']) {
		const held = geometry.getAttribute(name);
		if (held !== undefined) shape.setAttribute(name, held);
	}
	const place = rest ?? geometry.getAttribute('position');
	const sway = Float32Array.from({ length: place.count }, (_, i) =>
		swayAt(place.getY(i), Math.max(tallest, 0.01)),
	);
	shape.setAttribute('position', place);
	shape.setAttribute('sway', new BufferAttribute(sway, 1));
	shape.setIndex(geometry.index);
	return shape;
}

/** Returns true if both sides of a plant's triangles are visible. */
export const isThin = (mesh: string): boolean => isSmall(mesh) || mesh === 'plane';

/** Returns true if a plant is large enough that its shadow is worth drawing. */
export const castsShadow = (mesh: string): boolean => !isSmall(mesh);

/** Returns true if plants of this kind are usually many and small, so that those far away can be left out. */
export const isSmall = (mesh: string): boolean => mesh === 'grass' || mesh === 'flower';
