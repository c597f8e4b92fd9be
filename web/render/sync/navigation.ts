/**
 * Navigation mesh and the paths on it, shown over the ground on request.
 * Owns: two meshes, rebuilt when their blocks change. They are drawn only in the channel color.
 */

import {
	BufferAttribute,
	BufferGeometry,
	DoubleSide,
	Group,
	Mesh,
	MeshBasicNodeMaterial,
} from 'three/webgpu';
import type { BlockName, FrameBlocks, FrameNavmesh } from '../../frames/frames.ts';
import type { Picture, Sync } from './sync.ts';

/** Height above the ground, so that the meshes do not flicker (m). */
const HEIGHT_OFFSET = 0.04;
/** Width of a path (m). */
const PATH_WIDTH = 0.12;
/** Colour of each kind of ground: red, green and blue. */
const COLORS = [
	[0.1, 0.55, 0.6],
	[0.75, 0.45, 0.1],
	[0.35, 0.35, 0.4],
] as const;
const PATH_COLOR = [0.95, 0.8, 0.25] as const;

export class Navigation implements Sync {
	readonly object = new Group();
	readonly #ground = createLayer(0.35);
	readonly #paths = createLayer(0.9);

	constructor() {
		this.object.add(this.#ground, this.#paths);
	}

	setFrame({ navmesh, paths }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('navmesh')) replaceGeometry(this.#ground, groundShape(navmesh));
		if (changed.has('paths')) replaceGeometry(this.#paths, pathShape(paths));
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
	}

	dispose(): void {
		for (const mesh of [this.#ground, this.#paths]) {
			mesh.geometry.dispose();
			mesh.material.dispose();
		}
	}
}

function createLayer(opacity: number): Mesh<BufferGeometry, MeshBasicNodeMaterial> {
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.opacity = opacity;
	material.depthWrite = false;
	material.toneMapped = false;
	material.fog = false;
	material.vertexColors = true;
	material.side = DoubleSide;
	const mesh = new Mesh(new BufferGeometry(), material);
	mesh.frustumCulled = false;
	mesh.matrixAutoUpdate = false;
	mesh.renderOrder = 3;
	mesh.visible = false;
	return mesh;
}

function replaceGeometry(mesh: Mesh, geometry: BufferGeometry): void {
	mesh.geometry.dispose();
	mesh.geometry = geometry;
	mesh.visible = geometry.getIndex() !== null && geometry.getIndex()!.count > 0;
}

/** Returns a geometry of rectangles with four corners each and a colour per corner. */
function rectangles(corners: Float32Array, colors: Float32Array): BufferGeometry {
	const geometry = new BufferGeometry();
	const count = corners.length / 12;
	const triangles = new Uint32Array(count * 6);
	for (let i = 0; i < count; i++)
		triangles.set(
			[0, 1, 2, 0, 2, 3].map((corner) => i * 4 + corner),
			i * 6,
		);
	geometry.setAttribute('position', new BufferAttribute(corners, 3));
	geometry.setAttribute('color', new BufferAttribute(colors, 3));
	geometry.setIndex(new BufferAttribute(triangles, 1));
	return geometry;
}

function groundShape({ corners, kinds }: FrameNavmesh): BufferGeometry {
	const raisedCorners = corners.map((part, i) => (i % 3 === 1 ? part + HEIGHT_OFFSET : part));
	const colors = new Float32Array(corners.length);
	kinds.forEach((kind, i) => {
		for (let corner = 0; corner < 4; corner++) colors.set(COLORS[kind]!, i * 12 + corner * 3);
	});
	return rectangles(raisedCorners, colors);
}

function pathShape(segments: Float32Array): BufferGeometry {
	const count = segments.length / 6;
	const corners = new Float32Array(count * 12);
	const colors = new Float32Array(count * 12);
	for (let i = 0; i < count; i++) {
		const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0] = segments.subarray(i * 6, i * 6 + 6);
		const length = Math.hypot(bx - ax, bz - az) || 1;
		const [sx, sz] = [((az - bz) / length) * (PATH_WIDTH / 2), ((bx - ax) / length) * (PATH_WIDTH / 2)];
		const [a, b] = [ay + 2 * HEIGHT_OFFSET, by + 2 * HEIGHT_OFFSET];
		corners.set([ax - sx, a, az - sz, ax + sx, a, az + sz, bx + sx, b, bz + sz, bx - sx, b, bz - sz], i * 12);
		for (let corner = 0; corner < 4; corner++) colors.set(PATH_COLOR, i * 12 + corner * 3);
	}
	return rectangles(corners, colors);
}
