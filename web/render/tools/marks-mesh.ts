/**
 * Draws marks over the picture: one mesh of flat triangles, whose edges fade out over a pixel.
 * Owns: its buffers, which grow by powers of two.
 */

import { attribute, positionGeometry, vec4 } from 'three/tsl';
import {
	BufferAttribute,
	BufferGeometry,
	DoubleSide,
	DynamicDrawUsage,
	Mesh,
	MeshBasicNodeMaterial,
} from 'three/webgpu';
import { capacityOf } from '../sync/rows-mesh.ts';
import type { Mark, Point } from './tool.ts';

/** Width over which an edge fades out beyond a line (CSS pixels). */
const FADE_WIDTH = 0.7;

type Corner = readonly [x: number, y: number, alpha: number];

export class MarksMesh {
	readonly mesh: Mesh<BufferGeometry, MeshBasicNodeMaterial>;
	#positions = new Float32Array(0);
	#colors = new Float32Array(0);
	#count = 0;

	constructor() {
		const material = new MeshBasicNodeMaterial();
		material.transparent = true;
		material.depthTest = false;
		material.depthWrite = false;
		material.toneMapped = false;
		material.fog = false;
		material.side = DoubleSide;
		material.forceSinglePass = true;
		material.vertexNode = vec4(positionGeometry.xy, 0, 1);
		material.fragmentNode = attribute<'vec4'>('ink', 'vec4');
		this.mesh = new Mesh(new BufferGeometry(), material);
		this.mesh.frustumCulled = false;
		this.mesh.matrixAutoUpdate = false;
		this.mesh.renderOrder = 20;
		this.mesh.visible = false;
		this.#grow(1024);
	}

	/** Replaces the drawn marks, for a picture of this size (CSS pixels). */
	setMarks(marks: readonly Mark[], width: number, height: number): void {
		this.mesh.visible = marks.length > 0;
		if (marks.length === 0) return;
		this.#count = 0;
		for (const mark of marks) {
			if (mark.kind === 'fill') {
				const [first, ...rest] = mark.points.map(([x, y]): Corner => [x, y, 1]);
				for (let i = 1; i < rest.length; i++) this.#triangle([first!, rest[i - 1]!, rest[i]!], mark);
			} else
				for (let i = 1; i < mark.points.length; i++)
					this.#segment(mark.points[i - 1]!, mark.points[i]!, mark.width, mark);
		}
		for (let i = 0; i < this.#count; i++) {
			this.#positions[i * 3] = (this.#positions[i * 3]! / width) * 2 - 1;
			this.#positions[i * 3 + 1] = 1 - (this.#positions[i * 3 + 1]! / height) * 2;
		}
		const { geometry } = this.mesh;
		geometry.setDrawRange(0, this.#count);
		geometry.getAttribute('position').needsUpdate = true;
		geometry.getAttribute('ink').needsUpdate = true;
	}

	dispose(): void {
		this.mesh.geometry.dispose();
		this.mesh.material.dispose();
	}

	#segment([ax, ay]: Point, [bx, by]: Point, width: number, mark: Mark): void {
		const length = Math.hypot(bx - ax, by - ay);
		if (length === 0) return;
		const [nx, ny] = [-(by - ay) / length, (bx - ax) / length];
		const inner = Math.max(width / 2 - FADE_WIDTH / 2, 0);
		const rows: readonly (readonly [offset: number, alpha: number])[] = [
			[-inner - FADE_WIDTH, 0],
			[-inner, 1],
			[inner, 1],
			[inner + FADE_WIDTH, 0],
		];
		for (let i = 1; i < rows.length; i++) {
			const [[o0, a0], [o1, a1]] = [rows[i - 1]!, rows[i]!];
			const corners: readonly Corner[] = [
				[ax + nx * o0, ay + ny * o0, a0],
				[bx + nx * o0, by + ny * o0, a0],
				[bx + nx * o1, by + ny * o1, a1],
				[ax + nx * o1, ay + ny * o1, a1],
			];
			this.#triangle([corners[0]!, corners[1]!, corners[2]!], mark);
			this.#triangle([corners[0]!, corners[2]!, corners[3]!], mark);
		}
	}

	#triangle(corners: readonly [Corner, Corner, Corner], { color, alpha }: Mark): void {
		if ((this.#count + 3) * 3 > this.#positions.length) this.#grow(this.#count + 3);
		for (const [x, y, shade] of corners) {
			this.#positions.set([x, y, 0], this.#count * 3);
			this.#colors.set(
				[(color >> 16) / 255, ((color >> 8) & 255) / 255, (color & 255) / 255, alpha * shade],
				this.#count * 4,
			);
			this.#count++;
		}
	}

	#grow(corners: number): void {
		const capacity = capacityOf(corners);
		const [positions, colors] = [new Float32Array(capacity * 3), new Float32Array(capacity * 4)];
		positions.set(this.#positions);
		colors.set(this.#colors);
		[this.#positions, this.#colors] = [positions, colors];
		const geometry = new BufferGeometry();
		geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
		geometry.setAttribute('ink', new BufferAttribute(colors, 4).setUsage(DynamicDrawUsage));
		this.mesh.geometry.dispose();
		this.mesh.geometry = geometry;
	}
}
