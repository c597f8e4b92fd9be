/**
 * Look of water: the ground behind it, bent and coloured by its depth, the sky on its surface, waves, ripples and foam.
 * Owns: the materials of one area of water. Everything follows from the settings, the depths and the tick.
 *
 * Depth comes from the ground of terrains, or else from the floor or the plate. A depth buffer would have to be copied,
 * which targets with several samples do not allow, and renderers would differ. The ray from the eye is followed to the
 * ground (Snell's law). On its way light is lost by Beer's law, red first; the reflected share is Schlick's.
 */

import {
	cameraPosition,
	cameraViewMatrix,
	clamp,
	cos,
	dot,
	exp,
	Fn,
	float,
	length,
	max,
	min,
	mix,
	mx_noise_float,
	normalize,
	positionGeometry,
	positionWorld,
	pow,
	reflect,
	reflector,
	refract,
	screenUV,
	select,
	sin,
	smoothstep,
	texture,
	transformNormalToView,
	uniform,
	vec2,
	vec3,
	vec4,
	viewportTexture,
} from 'three/tsl';
import {
	Color,
	type DataTexture,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
	type Object3D,
	type RenderTarget,
	SRGBColorSpace,
	Vector2,
	Vector3,
	Vector4,
	type WebGPURenderer,
} from 'three/webgpu';
import { WAVES, wavesOf } from '../../../shared/media/water.ts';
import type { Channel, FrameWater } from '../../frames/frames.ts';
import { segmentationColor } from '../channels.ts';
import { depthBytes } from '../materials.ts';
import type { Air } from '../scene/air.ts';
import type { GroundPlane } from '../scene/ground.ts';
import { NO_TERRAIN } from './bottom.ts';
import { normalOf, pixelOf, type Rippled, Ripples, resolved, tintOf } from './ripples.ts';

type Area = FrameWater['areas'][number];

/** Refractive index of water, and the share of light that it reflects at a right angle. */
const INDEX = 1.333;
const STRAIGHT = 0.02;
/** Height of waves at which ripples have their full slope (m). */
const RIPPLED = 0.04;
/** Depth within which shores have foam (m). */
const FOAM_DEPTH = 0.24;
/** Shift of the ground behind a sloping surface, as a share of the picture at 1 m for each metre of depth, and its maximum. */
const BENDS = 0.5;
const MAX_BEND = 0.12;
/** Edge of the mirror's picture, as a share of the picture's edge. */
const MIRROR_SCALE = 0.5;
/** Shift of the reflection by a slope of the surface, as a share of the picture at 1 m, and its maximum. */
const MIRROR_SHIFT = 1.6;
const MAX_MIRROR_SHIFT = 0.12;
/** Lift of the reflected direction by slopes that are too fine for the picture. */
const LIFT = 2.2;
/** Crests with foam: height of the noise at which it begins and is full, and its strength in gusts. */
const CREST = { from: 0.6, full: 0.86, strength: 0.3 };

const whole = (radians: number): number => radians % (2 * Math.PI);

/** Materials of one area, and the values that change with the tick. */
export class WaterMaterials {
	readonly #of: Readonly<Record<Channel, NodeMaterial>>;
	/** For each wave: radians per metre along x and z, height, and the current phase. */
	readonly #waves = WAVES.map(() => uniform(new Vector4()));
	readonly #ripples = new Ripples();
	readonly #rippled = uniform(1);
	readonly #color = uniform(new Color());
	readonly #clarity = uniform(1);
	readonly #level = uniform(0);
	/** Rise of the surface since the depths were measured (m). */
	readonly #risen = uniform(0);
	readonly #measured: number;
	readonly #deepest = uniform(1);
	readonly #corner = uniform(new Vector2());
	readonly #size = uniform(new Vector2(1, 1));
	readonly #code = uniform(new Vector3());
	/** Offset in the pattern of foam. */
	readonly #drift = uniform(new Vector2());
	readonly #bottom: DataTexture;
	readonly #mirror: Mirror | null;
	/** Material of the channel color with the mirror. */
	readonly #mirroring: NodeMaterial | null;
	readonly #air: Air;
	readonly #plane: GroundPlane;

	/** `bottom`: depths below `level`; `isMirror`: the water reflects also the world. */
	constructor(bottom: DataTexture, level: number, air: Air, plane: GroundPlane, isMirror: boolean) {
		this.#measured = level;
		this.#bottom = bottom;
		this.#air = air;
		this.#plane = plane;
		this.#mirror = isMirror ? mirrorOf() : null;
		this.#of = {
			color: this.#materialFor(null),
			segmentation: exact(this.#code),
			depth: exact(depthBytes()),
		};
		this.#mirroring = this.#mirror === null ? null : this.#materialFor(this.#mirror);
		for (const material of this.#all) {
			material.positionNode = this.#placed();
			material.name = 'water';
		}
	}

	/** Returns the material for a channel. With a parallel projection the mirror is not used. */
	of(channel: Channel, isParallel: boolean): NodeMaterial {
		return channel === 'color' && !isParallel && this.#mirroring !== null
			? this.#mirroring
			: this.#of[channel];
	}

	/** Object in the plane of the mirror, to be added to the mesh; null without a mirror. */
	get plane(): Object3D | null {
		return this.#mirror?.target ?? null;
	}

	/** Takes the settings of water. */
	set(water: FrameWater, area: Area): void {
		this.#color.value.setRGB(...water.color, SRGBColorSpace);
		this.#clarity.value = water.clarity;
		this.#level.value = water.level;
		this.#risen.value = water.level - this.#measured;
		this.#deepest.value = water.depth;
		this.#rippled.value = Math.min(1, water.wave_height / RIPPLED);
		this.#corner.value.set(area.minX, area.minZ);
		this.#size.value.set(area.maxX - area.minX, area.maxZ - area.minZ);
		this.#code.value.fromArray(segmentationColor(water.id)).divideScalar(255);
	}

	/** Sets the time (seconds of the world). */
	setTime(water: FrameWater, seconds: number): void {
		wavesOf(water).forEach(({ alongX, alongZ, turns, height }, i) => {
			this.#waves[i]!.value.set(alongX, alongZ, height, whole(seconds * turns));
		});
		this.#ripples.setTime(water, seconds);
		const round = seconds * 0.35 * water.wave_speed;
		this.#drift.value.set(Math.cos(round), Math.sin(round)).multiplyScalar(0.5);
	}

	dispose(): void {
		for (const material of this.#all) material.dispose();
		this.#bottom.dispose();
		this.#mirror?.dispose();
	}

	get #all(): NodeMaterial[] {
		return [...Object.values(this.#of), ...(this.#mirroring === null ? [] : [this.#mirroring])];
	}

	/** Returns the phase of a wave at a place (rad). */
	#phase(wave: Node<'vec4'>, position: Node<'vec2'>): Node<'float'> {
		return dot(position, wave.xy).sub(wave.w);
	}

	/** Returns the position of the vertex, raised by the waves. Meshes are neither turned nor scaled. */
	#placed(): Node<'vec3'> {
		return Fn(() => {
			const position = positionGeometry.xz.add(this.#corner);
			let height: Node<'float'> = float(0);
			for (const wave of this.#waves) height = height.add(sin(this.#phase(wave, position)).mul(wave.z));
			return positionGeometry.add(vec3(0, height, 0));
		})();
	}

	/** Returns the surface at a place, with its waves and ripples. */
	#surface(position: Node<'vec2'>): Rippled {
		const pixel = pixelOf(position).toVar();
		const rippled = this.#ripples.at(position, pixel, this.#rippled);
		let { slope, lost } = rippled;
		for (const wave of this.#waves) {
			const turn = length(wave.xy);
			const kept = resolved(turn, pixel);
			slope = slope.add(wave.xy.mul(cos(this.#phase(wave, position)).mul(wave.z).mul(kept)));
			lost = lost.add(turn.mul(wave.z).mul(float(1).sub(kept)));
		}
		return { slope: slope.toVar(), lost: lost.toVar(), gust: rippled.gust };
	}

	/** Returns the depth of the water at a place (m), which is below 0 ashore. */
	#depthAt(position: Node<'vec2'>): Node<'float'> {
		const known = texture(this.#bottom, position.sub(this.#corner).div(this.#size)).x;
		const floor = this.#level.sub(this.#plane.heightBelow(position.x, position.y));
		return select(known.greaterThan(NO_TERRAIN / 2), clamp(floor, 0, this.#deepest), known.add(this.#risen));
	}

	/** Returns the light from a direction above the water. */
	#reflected(mirror: Mirror | null, normal: Node<'vec3'>, up: Node<'vec3'>): Node<'vec3'> {
		if (mirror === null) return this.#air.reflectedLight(up, float(0));
		const distance = max(length(positionWorld.sub(cameraPosition)), 1);
		const shift = clamp(normal.xz.mul(MIRROR_SHIFT).div(distance), -MAX_MIRROR_SHIFT, MAX_MIRROR_SHIFT);
		mirror.uvNode = (mirror.uvNode as Node<'vec2'>).add(shift);
		return this.#air.lightOf((mirror as unknown as Node<'vec4'>).rgb);
	}

	#materialFor(mirror: Mirror | null): NodeMaterial {
		const material = new MeshStandardNodeMaterial({ metalness: 0 });
		const position = positionWorld.xz;
		const surface = this.#surface(position);
		const { lost, gust } = surface;
		const normal = normalOf(surface.slope).toVar();
		const view = normalize(positionWorld.sub(cameraPosition)).toVar();
		const depth = this.#depthAt(position).toVar();

		// Follow the ray to the ground behind the surface. Only ripples shift the picture: a shift of the whole would show
		// objects before the water as if they were behind it.
		const ray = refract(view, normal, float(1 / INDEX)).toVar();
		const sinks = max(ray.y.negate(), 0.2);
		const first = positionWorld.add(ray.mul(max(depth, 0).div(sinks)));
		const below = max(this.#depthAt(first.xz), 0).toVar();
		const way = below.div(sinks).toVar();
		const lean = cameraViewMatrix.mul(vec4(normal.x, 0, normal.z, 0));
		const distance = max(length(positionWorld.sub(cameraPosition)), 1);
		const bend = min(below.mul(BENDS).div(distance), MAX_BEND);
		const onScreen = clamp(screenUV.add(vec2(lean.x, lean.y.negate()).mul(bend)), 0.001, 0.999);
		const behind = this.#air.lightOf((viewportTexture(onScreen) as Node<'vec4'>).rgb);

		const color = this.#color as unknown as Node<'vec3'>;
		const tint = color.div(max(max(color.r, max(color.g, color.b)), 1e-3));
		const absorbed = vec3(1.35).sub(tint).div(this.#clarity);
		const through = exp(absorbed.mul(way.add(below.mul(0.5))).negate()).toVar();

		const facing = clamp(dot(view, normal).negate(), 0, 1);
		const shallow = smoothstep(0, 0.06, depth);
		const mirrors = mix(float(STRAIGHT), float(1), pow(float(1).sub(facing), float(5)))
			.mul(shallow)
			.toVar();
		const mirrored = reflect(view, normal);
		// Fine slopes show the viewer a higher part of the sky.
		const up = normalize(vec3(mirrored.x, max(mirrored.y, 0.08).add(lost.mul(LIFT)), mirrored.z));
		const sky = this.#reflected(mirror, normal, up);

		// Foam: a band at the shore that breaks up outwards, and lines that wash in.
		const pattern = mx_noise_float(position.mul(1.9).add(this.#drift)).mul(0.5).add(0.5);
		const fine = mx_noise_float(position.mul(6.3).sub(this.#drift.mul(1.7)))
			.mul(0.5)
			.add(0.5);
		// Foam varies along the shore, and thins out before it ends.
		const near = float(1).sub(smoothstep(0, FOAM_DEPTH, depth.add(pattern.sub(0.5).mul(0.22))));
		const shore = smoothstep(0.3, 0.95, near.mul(fine.mul(0.75).add(0.45))).mul(0.62);
		const crests = smoothstep(CREST.from, CREST.full, fine.mul(0.55).add(pattern.mul(0.45)))
			.mul(gust)
			.mul(CREST.strength);
		const foam = max(shore, crests).mul(shallow).mul(this.#rippled).toVar();

		const clear = float(1).sub(foam);
		const enters = float(1).sub(mirrors).mul(clear).toVar();
		material.colorNode = color
			.mul(vec3(1).sub(through))
			.mul(tintOf(surface))
			.mul(enters)
			.add(vec3(0.82, 0.86, 0.86).mul(foam));
		const glitter = this.#air.glitter(mirrored, fine.mul(0.6).add(pattern.mul(0.4)), lost).mul(shallow);
		material.emissiveNode = behind.mul(through).mul(enters).add(sky.mul(mirrors).mul(clear)).add(glitter);
		material.normalNode = transformNormalToView(normal);
		material.roughnessNode = clamp(float(0.09).add(lost.mul(1.6)).add(foam.mul(0.8)), 0.09, 1);
		material.transparent = true;
		material.outputNode = this.#air.outputColor();
		return material;
	}
}

type Mirror = ReturnType<typeof reflector>;

/** Private part of three's reflector. It uses the size of the canvas, but pictures have their own size. */
interface Sized {
	_updateResolution(target: RenderTarget, renderer: WebGPURenderer): void;
}

/** Returns a mirror, whose picture of the surroundings is drawn right before the water. */
function mirrorOf(): Mirror {
	const mirror = reflector({ bounces: false });
	(mirror.reflector as unknown as Sized)._updateResolution = (target, renderer) => {
		const surface = renderer.getRenderTarget();
		const size = surface ?? renderer.getDrawingBufferSize(new Vector2());
		target.setSize(
			Math.max(1, Math.round(size.width * MIRROR_SCALE)),
			Math.max(1, Math.round(size.height * MIRROR_SCALE)),
		);
	};
	// The mirror's camera keeps the inverse projection of the first picture, but the sky needs the current one.
	const base = mirror.reflector;
	const own = base.getVirtualCamera.bind(base);
	base.getVirtualCamera = (camera) => {
		const copy = own(camera);
		copy.projectionMatrixInverse.copy(camera.projectionMatrixInverse);
		return copy;
	};
	mirror.target.rotateX(-Math.PI / 2);
	return mirror;
}

/** Returns a material whose bytes reach the picture unchanged. */
function exact(bytes: Node<'vec3'>): NodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.fragmentNode = vec4(bytes, 1);
	material.toneMapped = false;
	material.fog = false;
	return material;
}
