/**
 * Post-processing: the scene as light, then ambient occlusion, bounced light, light shafts, depth of field, bloom,
 * exposure, the curve, grading and smoothed edges.
 * Owns: the targets and the passes of one stage, at the size of its picture. Loaded when a world first needs it.
 */

import BloomNode from 'three/addons/tsl/display/BloomNode.js';
import { fxaa } from 'three/addons/tsl/display/FXAANode.js';
import GTAONode from 'three/addons/tsl/display/GTAONode.js';
import {
	abs,
	clamp,
	dot,
	exp,
	Fn,
	float,
	max,
	mix,
	pow,
	texture,
	uniform,
	uv,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	DepthTexture,
	HalfFloatType,
	NoColorSpace,
	type Node,
	NodeMaterial,
	QuadMesh,
	RenderTarget,
	type TextureDataType,
	type TextureNode,
	UnsignedByteType,
	Vector2,
	Vector3,
	type WebGPURenderer,
} from 'three/webgpu';
import type { FramePost } from '../../frames/frames.ts';
import type { Quality } from '../quality.ts';
import type { Air } from '../scene/air.ts';
import { finish } from '../scene/tone.ts';
import type { Stage } from '../stage.ts';
import { Blur, Bounce, distanceAt, type Lens, Shafts } from './effects.ts';

/** Samples per pixel if no other effect smooths edges and none reads depth. */
const SAMPLES = 4;
const BLOOM_STRENGTH = 0.45;
const BLOOM_RADIUS = 0.35;
/** Light of white paint in full sun, the unit of thresholds. */
const WHITE = 2.5;
/** Rise of red and fall of blue at temperature 1, in stops. */
const WARM = 0.45;
/** A neighbour this much nearer or farther (m) hardly counts when occlusion is smoothed. */
const EDGE = 0.15;

/**
 * Surface that a picture is drawn on. `target`: null for the canvas. `smooth`: draw several samples per pixel.
 * `focus`: distance from the camera to its target (m).
 */
export interface Surface {
	readonly focus: number;
	readonly target: RenderTarget | null;
	readonly width: number;
	readonly height: number;
	readonly smooth: boolean;
}

/**
 * Bloom at the size of the picture. three's node takes the size of the canvas, and captures must not depend on that.
 */
class Bloom extends BloomNode {
	readonly size = new Vector2(1, 1);
	override setSize(): void {
		// The smallest picture of the bloom has 1/32 of the edge of the largest.
		const least = 32 / this.getResolutionScale();
		super.setSize(Math.max(this.size.x, least), Math.max(this.size.y, least));
	}
}

/**
 * Returns the part of a light above the threshold. The strongest colour counts, so coloured lamps glow like white ones.
 */
const above = ({ input, threshold }: { input: Node<'vec4'>; threshold: Node<'float'> }): Node<'vec4'> => {
	const most = max(input.r, max(input.g, input.b));
	return vec4(input.rgb.mul(max(most.sub(threshold), 0).div(max(most, 1e-4))), 1);
};

class Occlusion extends GTAONode {
	readonly size = new Vector2(1, 1);
	override setSize(): void {
		super.setSize(this.size.x, this.size.y);
	}
}

export class Chain {
	readonly #renderer: WebGPURenderer;
	readonly #air: Air;
	readonly #quality: Quality;
	readonly #exposure = uniform(new Vector3(1, 1, 1));
	readonly #occlusion = uniform(1);
	readonly #bounced = uniform(1);
	readonly #shafts = uniform(1);
	readonly #contrast = uniform(1);
	readonly #saturation = uniform(1);
	#passes: Passes | null = null;

	constructor(renderer: WebGPURenderer, air: Air, quality: Quality) {
		this.#renderer = renderer;
		this.#air = air;
		this.#quality = quality;
	}

	/** Draws a prepared stage. */
	draw(stage: Stage, lens: Lens, post: FramePost, surface: Surface): void {
		const renderer = this.#renderer;
		const passes = this.#passesFor(lens, post, surface);
		this.#set(post);
		passes.set(post, surface, this.#sun(lens));
		const signs = stage.apart(true);
		this.#air.unfinished = true;
		renderer.setRenderTarget(passes.light);
		renderer.render(stage.scene, lens);
		this.#air.unfinished = false;
		for (const { quad, target } of passes.quads) {
			renderer.setRenderTarget(target === 'surface' ? surface.target : target);
			quad.render(renderer);
		}
		renderer.autoClear = false;
		renderer.render(signs, lens);
		renderer.autoClear = true;
		renderer.setRenderTarget(null);
	}

	dispose(): void {
		this.#passes?.dispose();
		this.#passes = null;
	}

	/** Returns the place of the sun or moon in the picture and the strength of its shafts, which is 0 without a sky. */
	#sun(lens: Lens): Sun {
		const { shines, towards } = this.#air;
		const ahead = -new Vector3().copy(towards).transformDirection(lens.matrixWorldInverse).z;
		if (!shines || ahead <= 0) return { x: 0.5, y: 0.5, strength: 0 };
		const spot = new Vector3().copy(towards).multiplyScalar(lens.far / 2);
		spot.add(new Vector3().setFromMatrixPosition(lens.matrixWorld)).project(lens);
		const outside = Math.max(Math.abs(spot.x), Math.abs(spot.y)) - 1;
		const strength = Math.min(1, ahead * 4) * Math.max(0, 1 - Math.max(0, outside));
		return { x: spot.x / 2 + 0.5, y: 0.5 - spot.y / 2, strength };
	}

	#set(post: FramePost): void {
		const { exposure, temperature, ssao_intensity, contrast, saturation } = post;
		this.#bounced.value = post.bounce_intensity;
		this.#shafts.value = post.light_shafts_intensity;
		const warm = new Vector3(2 ** (WARM * temperature), 1, 2 ** (-WARM * temperature));
		// The temperature does not change the brightness of white.
		warm.divideScalar(warm.x * 0.2126 + warm.y * 0.7152 + warm.z * 0.0722);
		this.#exposure.value.copy(warm).multiplyScalar(2 ** exposure);
		this.#occlusion.value = ssao_intensity;
		this.#contrast.value = contrast;
		this.#saturation.value = saturation;
	}

	/**
	 * Returns the passes for these settings. New passes are made only if the set of effects, the samples or the lens
	 * changes.
	 */
	#passesFor(lens: Lens, post: FramePost, { smooth }: Surface): Passes {
		const cheap = this.#quality.software && post.fxaa_enabled;
		const samples = smooth && !readsDepth(post) && !cheap ? SAMPLES : 0;
		const effects = EFFECTS.map((name) => (post[name] ? 1 : 0)).join('');
		const key = `${lens.uuid} ${effects} ${samples}`;
		if (this.#passes?.key === key) return this.#passes;
		this.#passes?.dispose();
		const passes = new Passes(key, lens, post, samples, this.#quality);
		passes.finish(
			(light, glow) => {
				const exposed = light.mul(this.#exposure);
				return this.#graded(glow === null ? exposed : exposed.add(glow(exposed)));
			},
			{ darkness: this.#occlusion, bounced: this.#bounced, shafts: this.#shafts },
		);
		this.#passes = passes;
		return passes;
	}

	/** Returns the finished colour of light. */
	#graded(light: Node<'vec3'>): Node<'vec3'> {
		const color = finish(light).sub(0.5).mul(this.#contrast).add(0.5);
		const grey = vec3(dot(color, vec3(0.2126, 0.7152, 0.0722)));
		return clamp(mix(grey, color, this.#saturation), 0, 1);
	}
}

const EFFECTS = [
	'ssao_enabled',
	'bounce_enabled',
	'light_shafts_enabled',
	'depth_of_field_enabled',
	'bloom_enabled',
	'fxaa_enabled',
] as const;

const readsDepth = (post: FramePost): boolean =>
	post.ssao_enabled || post.bounce_enabled || post.light_shafts_enabled || post.depth_of_field_enabled;

/** Place in the picture, from 0 to 1 from its top left corner, and strength. */
interface Sun {
	readonly x: number;
	readonly y: number;
	readonly strength: number;
}

/** Strengths of effects. */
interface Strengths {
	readonly darkness: Node<'float'>;
	readonly bounced: Node<'float'>;
	readonly shafts: Node<'float'>;
}

type Glow = (light: Node<'vec3'>) => Node<'vec3'>;

/** The targets and quads for one choice of effects. */
class Passes {
	readonly key: string;
	readonly light: RenderTarget;
	readonly quads: { readonly quad: QuadMesh; readonly target: RenderTarget | 'surface' }[] = [];
	readonly #lens: Lens;
	readonly #occlusion: Occlusion | null = null;
	#bloom: Bloom | null = null;
	readonly #bounce = new Bounce();
	readonly #shafts = new Shafts();
	readonly #blur = new Blur();
	/** Targets, each with its share of the picture's edge. */
	readonly #targets: { readonly target: RenderTarget; readonly scale: number }[] = [];
	readonly #step = uniform(new Vector2());
	readonly #quality: Quality;
	readonly #settings: FramePost;

	constructor(key: string, lens: Lens, wanted: FramePost, samples: number, quality: Quality) {
		this.key = key;
		this.#lens = lens;
		this.#settings = wanted;
		this.#quality = quality;
		this.light = this.#target(1, { type: HalfFloatType, depthBuffer: true, samples });
		if (readsDepth(wanted)) this.light.depthTexture = new DepthTexture(1, 1);
		if (wanted.ssao_enabled) {
			// The types require normals, but without them the node derives them from the depths.
			this.#occlusion = new Occlusion(texture(this.light.depthTexture!), null as unknown as Node, lens);
			this.#occlusion.samples.value = quality.occlusion_samples;
			this.#occlusion.resolutionScale = quality.occlusion_scale;
		}
	}

	/** Builds the passes. `color` turns light and its glow into finished colour. */
	finish(color: (light: Node<'vec3'>, glow: Glow | null) => Node<'vec3'>, strengths: Strengths): void {
		const { bloom_enabled, fxaa_enabled } = this.#settings;
		const light = this.#lit(strengths);
		const glow: Glow = (exposed) => {
			const bloom = new Bloom(vec4(exposed, 1), BLOOM_STRENGTH, BLOOM_RADIUS);
			bloom.highPassFn = above;
			bloom.setResolutionScale(this.#quality.bloom_scale);
			this.#bloom = bloom;
			return (bloom as Node<'vec4'>).rgb;
		};
		const finished = vec4(color(light, bloom_enabled ? glow : null), 1);
		if (!fxaa_enabled) {
			this.#quad(finished, 'surface');
			return;
		}
		const target = this.#target(1, { type: UnsignedByteType, colorSpace: NoColorSpace });
		this.#quad(finished, target);
		this.#quad(vec4(fxaa(texture(target.texture)) as unknown as Node<'vec4'>), 'surface');
	}

	/** Returns the light of the scene after all effects on light. */
	#lit({ darkness, bounced, shafts }: Strengths): Node<'vec3'> {
		const { bounce_enabled, light_shafts_enabled, depth_of_field_enabled } = this.#settings;
		const drawn = texture(this.light.texture);
		const scene = { light: drawn, depth: this.light.depthTexture!, lens: this.#lens };
		const { occlusion_scale, bounce_samples, blur_samples, bloom_scale } = this.#quality;
		let light: Node<'vec3'> = drawn.rgb;
		if (this.#occlusion !== null) {
			const open = this.#smoothedBoth(this.#occlusion.getTextureNode(), occlusion_scale, UnsignedByteType);
			light = light.mul(pow(open.r, darkness));
		}
		if (bounce_enabled) {
			const found = this.#pass(this.#bounce.node(scene, bounce_samples), occlusion_scale);
			const smooth = this.#smoothedBoth(found, occlusion_scale, HalfFloatType);
			light = light.add(Bounce.sentOn(smooth.rgb, light).mul(bounced));
		}
		if (light_shafts_enabled) {
			const source = this.#pass(this.#shafts.source(scene), bloom_scale);
			const once = this.#pass(this.#shafts.drawnOut(source, false), bloom_scale);
			light = light.add(this.#pass(this.#shafts.drawnOut(once, true), bloom_scale).rgb.mul(shafts));
		}
		if (!depth_of_field_enabled) return light;
		const sharp = this.#pass(vec4(light, 1), 1);
		return this.#pass(this.#blur.node({ ...scene, light: sharp }, blur_samples), 1).rgb;
	}

	/** Sets the sizes and uniforms for the next picture. */
	set(post: FramePost, { width, height, focus }: Surface, sun: Sun): void {
		for (const { target, scale } of this.#targets)
			target.setSize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
		const { occlusion_scale } = this.#quality;
		this.#step.value.set(1 / (width * occlusion_scale), 1 / (height * occlusion_scale));
		this.#occlusion?.size.set(width, height);
		if (this.#occlusion !== null) this.#occlusion.radius.value = post.ssao_radius;
		this.#bloom?.size.set(width, height);
		if (this.#bloom !== null) this.#bloom.threshold.value = post.bloom_threshold * WHITE;
		for (const { aspect } of [this.#bounce, this.#shafts, this.#blur]) aspect.value = width / height;
		this.#bounce.radius.value = post.bounce_radius;
		this.#bounce.scale.value = this.#lens.projectionMatrix.elements[5]! / 2;
		this.#shafts.centre.value.set(sun.x, sun.y);
		this.#shafts.strength.value = sun.strength;
		this.#blur.focus.value = post.focus_distance === 0 ? focus : post.focus_distance;
		this.#blur.range.value = post.focus_range;
		this.#blur.size.value = post.blur_size / 100;
	}

	dispose(): void {
		for (const { target } of this.#targets) {
			target.depthTexture?.dispose();
			target.dispose();
		}
		for (const { quad } of this.quads) (quad.material as NodeMaterial).dispose();
		this.#occlusion?.dispose();
		this.#bloom?.dispose();
	}

	#target(scale: number, options: ConstructorParameters<typeof RenderTarget>[2]): RenderTarget {
		const target = new RenderTarget(1, 1, { depthBuffer: false, ...options });
		this.#targets.push({ target, scale });
		return target;
	}

	#quad(color: Node<'vec4'>, target: RenderTarget | 'surface'): void {
		const material = new NodeMaterial();
		material.depthTest = false;
		material.depthWrite = false;
		material.fragmentNode = color;
		material.name = 'post';
		this.quads.push({ quad: new QuadMesh(material), target });
	}

	/** Adds a pass that draws `color`, and returns its picture. */
	#pass(color: Node<'vec4'>, scale: number): TextureNode<'vec4'> {
		const target = this.#target(scale, { type: HalfFloatType });
		this.#quad(color, target);
		return texture(target.texture);
	}

	#smoothedBoth(source: TextureNode, scale: number, type: TextureDataType): TextureNode<'vec4'> {
		return this.#smoothed(this.#smoothed(source, vec2(1, 0), scale, type), vec2(0, 1), scale, type);
	}

	/** Returns a picture smoothed along one axis over five texels, the width of its noise, but not across edges. */
	#smoothed(
		source: TextureNode,
		axis: Node<'vec2'>,
		scale: number,
		type: TextureDataType,
	): TextureNode<'vec4'> {
		const scene = { depth: this.light.depthTexture!, lens: this.#lens };
		const node = Fn(() => {
			const here = distanceAt(scene, uv()).toVar();
			const sum = vec3(0).toVar();
			const weights = float(0).toVar();
			for (let at = -2; at <= 2; at++) {
				const position = uv().add(axis.mul(this.#step).mul(at));
				const weight = exp(abs(distanceAt(scene, position).sub(here)).div(-EDGE));
				sum.addAssign(source.sample(position).rgb.mul(weight));
				weights.addAssign(weight);
			}
			return vec4(sum.div(max(weights, 1e-4)), 1);
		})();
		const target = this.#target(scale, { type });
		this.#quad(node, target);
		return texture(target.texture);
	}
}
