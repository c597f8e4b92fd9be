/**
 * The plate that every world stands on: a disc of painted wood with an enamel groove and a brass rim of 120
 * marks.
 * Owns: its shape and material, and the heights that contact shadows depend on. Never: belongs to the world.
 */

import {
	abs,
	atan,
	clamp,
	exp,
	Fn,
	float,
	fract,
	fwidth,
	length,
	max,
	min,
	mix,
	normalWorld,
	positionGeometry,
	positionWorld,
	select,
	sin,
	smoothstep,
	varying,
	vec3,
	vec4,
} from 'three/tsl';
import {
	Color,
	LatheGeometry,
	type Material,
	Mesh,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	Vector2,
	Vector4,
} from 'three/webgpu';
import type { FrameBlocks } from '../../frames/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { BRASS, ENAMEL, GRASS, GRASS_DARK, GRASS_DRY, WOOD_DARK } from '../palette.ts';
import { pictureUniform } from '../picture-uniform.ts';
import type { Picture, Sync } from '../sync/sync.ts';
import type { Air } from './air.ts';

const RIM_RADIUS = 0.955;
const MARKS = 120;
const SEGMENTS = 144;

/**
 * Profile of the plate from its middle outwards and down: radius and height, in plate radii. It has no
 * underside. In software rendering, specks of culled triangles behind the eye would otherwise be visible.
 */
const PROFILE: readonly (readonly [number, number])[] = [
	[0.0001, 0],
	[0.05, 0],
	[0.12, 0],
	[0.22, 0],
	[0.34, 0],
	[0.48, 0],
	[0.64, 0],
	[0.8, 0],
	[0.954, 0],
	[RIM_RADIUS, 0],
	[0.957, -0.003],
	[0.9575, -0.003],
	[0.9645, -0.003],
	[0.965, -0.003],
	[0.968, 0.0045],
	[0.97, 0.005],
	[0.99, 0.005],
	[0.995, 0.004],
	[1, -0.001],
	[1, -0.012],
	[0.994, -0.018],
	[0.985, -0.019],
	[0.984, -0.02],
	[0.975, -0.045],
	[0.95, -0.06],
];

/** Heights of plate and floor for contact shadows, set before each picture. */
export class GroundPlane {
	readonly plate = pictureUniform(0);
	readonly radius = pictureUniform(12);
	readonly floor = pictureUniform(new Vector4(0, 0, -1, -1));
	readonly floorTop = pictureUniform(0);

	/** Sets the heights from the extent of a frame. */
	set(extent: Extent): void {
		this.plate.value = extent.plate;
		this.radius.value = extent.radius;
		if (extent.floor === null) {
			this.floor.value.set(0, 0, -1, -1);
			return;
		}
		const [x0, z0, x1, z1, y] = extent.floor;
		this.floor.value.set(x0, z0, x1, z1);
		this.floorTop.value = y;
	}

	/** Returns the height of the floor or plate below a position (m). */
	heightBelow(x: Node<'float'>, z: Node<'float'>): Node<'float'> {
		const isInside = x
			.greaterThan(this.floor.x)
			.and(x.lessThan(this.floor.z))
			.and(z.greaterThan(this.floor.y))
			.and(z.lessThan(this.floor.w));
		return select(isInside, this.floorTop, this.plate);
	}

	/**
	 * Returns the share of the sky's light that reaches a surface. It is smaller near the ground and for
	 * surfaces that face down.
	 */
	openness(): Node<'float'> {
		const height = max(positionWorld.y.sub(this.heightBelow(positionWorld.x, positionWorld.z)), 0);
		const near = exp(height.mul(-2.6)).mul(0.55);
		return float(1).sub(near.mul(clamp(float(0.72).sub(normalWorld.y.mul(0.72)), 0, 1)));
	}
}

/** Returns the plate's shape, for a radius of 1. */
export function plateShape(): LatheGeometry {
	return new LatheGeometry(
		PROFILE.map(([radius, height]) => new Vector2(radius, height)).reverse(),
		SEGMENTS,
	);
}

/** Returns the plate's material. */
export function plateMaterial(air: Air): MeshStandardNodeMaterial {
	const material = new MeshStandardNodeMaterial();
	const position = varying(positionGeometry);
	const radius = length(position.xz);
	const paint = Fn(() => {
		const x = positionWorld.x;
		const z = positionWorld.z;
		// Soft patches of three paints; no detail finer than a few centimetres.
		const broadPattern = sin(x.mul(0.23).add(sin(z.mul(0.31)).mul(1.7))).mul(
			sin(z.mul(0.19).sub(sin(x.mul(0.27)).mul(1.4))),
		);
		const smallPattern = sin(x.mul(0.83).add(z.mul(0.41))).mul(sin(z.mul(0.77).sub(x.mul(0.53))));
		const patch = smoothstep(-0.7, 0.7, broadPattern.add(smallPattern.mul(0.35)));
		const turf = mix(
			mix(linearColor(GRASS_DARK), linearColor(GRASS), patch),
			linearColor(GRASS_DRY),
			patch.mul(patch).mul(0.55),
		);
		const lines = max(
			gridLine(x, 1).mul(0.07),
			max(
				gridLine(z, 1).mul(0.07),
				max(gridLine(x.div(5), 0.3).mul(0.12), gridLine(z.div(5), 0.3).mul(0.12)),
			),
		);
		const withLines = mix(turf, linearColor(GRASS_DRY).mul(1.3), lines);
		// The last metre darkens towards the groove, like a painter's edge.
		const edge = smoothstep(0.9, RIM_RADIUS, radius);
		return withLines.mul(float(1).sub(edge.mul(0.16)));
	})();
	const angle = atan(position.z, position.x)
		.div(Math.PI * 2)
		.mul(MARKS);
	const tick = abs(fract(angle).sub(0.5));
	const isLong = abs(fract(angle.div(10)).sub(0.5)).greaterThan(0.45);
	const inner = select(isLong, float(0.972), float(0.98));
	const distanceFromMark = float(0.5).sub(tick);
	const pixel = max(fwidth(angle), 0.0001);
	const engraved = float(1)
		.sub(smoothstep(float(0.07), pixel.add(0.07), distanceFromMark))
		.mul(smoothstep(inner, inner.add(0.001), radius))
		.mul(float(1).sub(smoothstep(0.9925, 0.9935, radius)))
		.mul(clamp(float(1.4).sub(pixel.mul(2)), 0, 1));
	const rim = mix(linearColor(BRASS), linearColor(ENAMEL).mul(0.8), engraved);
	const top = select(
		radius.lessThan(RIM_RADIUS),
		paint,
		select(radius.lessThan(0.9655), linearColor(ENAMEL), rim),
	);
	material.colorNode = select(
		position.y.lessThan(-0.0188),
		linearColor(WOOD_DARK).mul(0.8),
		select(position.y.lessThan(-0.0035), linearColor(BRASS), top),
	);
	const isMetal = radius.greaterThan(0.9655).and(position.y.greaterThan(-0.0188));
	material.roughnessNode = select(isMetal, float(0.33), float(0.85));
	material.metalnessNode = select(isMetal, float(0.35), float(0));
	material.outputNode = air.outputColor();
	material.name = 'plate';
	return material;
}

/** Returns the plate's material in segmentation: black, no entity. */
export function plateCover(): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.fragmentNode = vec4(0, 0, 0, 1);
	material.toneMapped = false;
	material.fog = false;
	return material;
}

/** Plate as an object of the scene. The extent of a frame determines its position and size. */
export class Ground implements Sync {
	readonly object: Mesh;
	readonly #plane: GroundPlane;
	readonly #paint: Material;
	readonly #cover: Material;
	#isVisible = true;

	constructor({ plateShape, plateMaterial, plateCover, groundPlane }: GpuResources) {
		this.#paint = plateMaterial;
		this.#cover = plateCover;
		this.object = new Mesh(plateShape, plateMaterial);
		this.object.receiveShadow = true;
		this.object.frustumCulled = false;
		this.object.renderOrder = 1;
		this.#plane = groundPlane;
	}

	setFrame({ sky }: FrameBlocks): void {
		this.#isVisible = sky.plate;
	}

	/** Sets the position, size and material of the plate. */
	prepare({ channel, isCovered, extent }: Picture): void {
		this.object.visible = (channel === 'color' || isCovered) && this.#isVisible;
		this.object.material = isCovered ? this.#cover : this.#paint;
		this.object.position.y = extent.plate;
		this.object.scale.setScalar(extent.radius);
		this.#plane.set(extent);
	}

	/** Frees nothing: the renderer owns the shape and the materials. */
	dispose(): void {}
}

/** Returns 1 on the lines of a grid of spacing 1, softened to at least a pixel; `width` in hundredths. */
function gridLine(value: Node<'float'>, width: number): Node<'float'> {
	const distance = abs(fract(value.sub(0.5)).sub(0.5));
	const pixel = max(fwidth(value), 0.0001);
	const half = width * 0.02;
	const soft = float(1).sub(smoothstep(float(half), pixel.add(half), distance));
	return soft.mul(min(float(0.35).div(pixel).mul(0.25), 1));
}

function linearColor(hex: number): Node<'vec3'> {
	const color = new Color(hex);
	return vec3(color.r, color.g, color.b);
}
