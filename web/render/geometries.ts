/**
 * Unit shapes of meshes: cube, sphere, plane, cylinder, cone, and a placeholder for anything else.
 * Owns: vertices. Sizes: cube edge 1 m, sphere radius 0.5, plane 1 x 1 in XZ, cylinder and cone radius 0.5,
 * height 1.
 */

import {
	BoxGeometry,
	BufferAttribute,
	BufferGeometry,
	ConeGeometry,
	CylinderGeometry,
	OctahedronGeometry,
	PlaneGeometry,
	SphereGeometry,
} from 'three/webgpu';

export type ShapeName = 'cube' | 'sphere' | 'plane' | 'cylinder' | 'cone' | 'stand-in';

/** Number of instances of a mesh above which its shape has fewer triangles. */
export const MAX_DETAILED_COUNT = 1500;

/** Returns the shape of a mesh name. */
export function shapeOf(mesh: string): ShapeName {
	switch (mesh) {
		case 'cube':
		case 'sphere':
		case 'plane':
		case 'cylinder':
		case 'cone':
			return mesh;
		default:
			return 'stand-in';
	}
}

/** Returns true if the vertex shader rounds the shape's corners, which needs `bevelledCube`. */
export function isBevelled(shape: ShapeName, isCoarse: boolean, textured = false): boolean {
	return shape === 'cube' && !isCoarse && !textured;
}

/**
 * Returns an indexed shape with `position` and `normal`, and with `uv` if it is textured. `isCoarse`: it has
 * fewer triangles.
 */
export function makeShape(shape: ShapeName, isCoarse: boolean, textured = false): BufferGeometry {
	const geometry = isBevelled(shape, isCoarse, textured) ? bevelledCube() : plainShape(shape, isCoarse);
	if (!textured) geometry.deleteAttribute('uv');
	return geometry;
}

/** Returns the shape without bevel, for ray casting and outlines. */
export function plainShape(shape: ShapeName, isCoarse: boolean): BufferGeometry {
	switch (shape) {
		case 'cube':
			return new BoxGeometry(1, 1, 1);
		case 'sphere':
			return isCoarse ? new SphereGeometry(0.5, 14, 10) : new SphereGeometry(0.5, 32, 20);
		case 'plane':
			return new PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
		case 'cylinder':
			return new CylinderGeometry(0.5, 0.5, 1, isCoarse ? 14 : 32);
		case 'cone':
			return new ConeGeometry(0.5, 1, isCoarse ? 14 : 32);
		case 'stand-in':
			return new OctahedronGeometry(0.5);
	}
}

/**
 * Returns a cube whose faces are joined by strips and corner triangles without width. The vertex shader moves
 * each face's corners inwards by the bevel. Normals turn from face to face across the strips.
 */
function bevelledCube(): BufferGeometry {
	const positions: number[] = [];
	const normals: number[] = [];
	/** Vertex number by face (axis * 2 + side) and corner (bit per axis). */
	const vertex = new Map<number, number>();
	for (let axis = 0; axis < 3; axis++) {
		for (let side = 0; side < 2; side++) {
			for (let corner = 0; corner < 8; corner++) {
				if (((corner >> axis) & 1) !== side) continue;
				vertex.set((axis * 2 + side) * 8 + corner, positions.length / 3);
				for (let k = 0; k < 3; k++) {
					positions.push(((corner >> k) & 1) - 0.5);
					normals.push(k === axis ? side * 2 - 1 : 0);
				}
			}
		}
	}
	const vertexAt = (axis: number, corner: number): number =>
		vertex.get((axis * 2 + ((corner >> axis) & 1)) * 8 + corner)!;
	const index: number[] = [];
	const triangle = (a: number, b: number, c: number, outward: readonly number[]): void => {
		// Vertices of a strip coincide without a bevel, so the winding is computed with one.
		const point = (v: number): number[] =>
			[0, 1, 2].map((k) => {
				const p = positions[v * 3 + k]!;
				return p - Math.sign(p) * (1 - Math.abs(normals[v * 3 + k]!)) * 0.1;
			});
		const [p, q, r] = [point(a), point(b), point(c)];
		const u = q.map((value, k) => value - p[k]!);
		const w = r.map((value, k) => value - p[k]!);
		const facing =
			(u[1]! * w[2]! - u[2]! * w[1]!) * outward[0]! +
			(u[2]! * w[0]! - u[0]! * w[2]!) * outward[1]! +
			(u[0]! * w[1]! - u[1]! * w[0]!) * outward[2]!;
		if (facing >= 0) index.push(a, b, c);
		else index.push(a, c, b);
	};
	for (let axis = 0; axis < 3; axis++) {
		const b = (axis + 1) % 3;
		const c = (axis + 2) % 3;
		for (let side = 0; side < 2; side++) {
			const base = side << axis;
			const corners = [base, base | (1 << b), base | (1 << b) | (1 << c), base | (1 << c)];
			const outward = [0, 1, 2].map((k) => (k === axis ? side * 2 - 1 : 0));
			const [p, q, r, s] = corners.map((corner) => vertexAt(axis, corner)) as [
				number,
				number,
				number,
				number,
			];
			triangle(p, q, r, outward);
			triangle(p, r, s, outward);
		}
		// The four edges along this axis join the faces of the other two.
		for (let edge = 0; edge < 4; edge++) {
			const low = ((edge & 1) << b) | ((edge >> 1) << c);
			const high = low | (1 << axis);
			const outward = [0, 1, 2].map((k) => (k === axis ? 0 : ((low >> k) & 1) * 2 - 1));
			triangle(vertexAt(b, low), vertexAt(b, high), vertexAt(c, high), outward);
			triangle(vertexAt(b, low), vertexAt(c, high), vertexAt(c, low), outward);
		}
	}
	for (let corner = 0; corner < 8; corner++) {
		const outward = [0, 1, 2].map((k) => ((corner >> k) & 1) * 2 - 1);
		triangle(vertexAt(0, corner), vertexAt(1, corner), vertexAt(2, corner), outward);
	}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
	geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
	geometry.setIndex(index);
	return geometry;
}
