/**
 * Post-processing. It draws the scene as light, then applies ambient occlusion, bounced light, light shafts,
 * depth of field, bloom, exposure, the tone curve, grading and smoothed edges.
 * Owns: the targets and the passes of one stage, at the size of its picture. Loaded when a world first needs
 * it.
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
import { encodeLight } from '../scene/tone.ts';
import type { Stage } from '../stage.ts';
import { Blur, Bounce, distanceAt, type Lens, Shafts } from './effects.ts';

/** Samples per pixel if no effect reads depth or smooths edges at low cost. */
const SAMPLES = 4;
const BLOOM_STRENGTH = 0.45;
const BLOOM_RADIUS = 0.35;
/** Light of white paint in full sun, the unit of thresholds. */
const WHITE_LIGHT = 2.5;
/** Rise of red and fall of blue at temperature 1, in stops. */
const STOPS = 0.45;
/** Difference in distance from which a neighbour hardly counts when occlusion is smoothed (m). */
const EDGE_DEPTH = 0.15;

/**
 * Surface that a picture is drawn on. `target`: null for the canvas. `isSmooth`: several samples per pixel
 * are permitted. `focus`: distance from the camera to its target (m).
 */
export interface Surface {
	readonly focus: number;
	readonly target: RenderTarget | null;
	readonly width: number;
	readonly height: number;
	readonly isSmooth: boolean;
}

/**
 * Bloom at the size of the picture. three's node takes the size of the canvas, and captures must not depend
 * on that.
 */
class Bloom extends BloomNode {
	readonly size = new Vector2(1, 1);
	override setSize(): void {
		// The smallest picture of the bloom has 1/32 of the edge of the largest.
		const minSize = 32 / this.getResolutionScale();
		super.setSize(Math.max(this.size.x, minSize), Math.max(this.size.y, minSize));
	}
}

/**
 * Returns the part of a light above the threshold. The strongest colour counts, so coloured lamps glow like
 * white ones.
 */
const aboveThreshold = ({
	input,
	threshold,
}: {
	input: Node<'vec4'>;
	threshold: Node<'float'>;
}): Node<'vec4'> => {
	const strongest = max(input.r, max(input.g, input.b));
	return vec4(input.rgb.mul(max(strongest.sub(threshold), 0).div(max(strongest, 1e-4))), 1);
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
	readonly #occlusionStrength = uniform(1);
	readonly #bounceStrength = uniform(1);
	readonly #shaftStrength = uniform(1);
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
		this.#setUniforms(post);
		passes.set(post, surface, this.#sunInPicture(lens));
		const signs = stage.separateSigns(true);
		this.#air.isLinear = true;
		renderer.setRenderTarget(passes.light);
		renderer.render(stage.scene, lens);
		this.#air.isLinear = false;
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

	/**
	 * Returns the position of the sun or moon in the picture, and the strength of its shafts. Without a sky,
	 * the strength is 0.
	 */
	#sunInPicture(lens: Lens): Sun {
		const { hasSky, lightDirection } = this.#air;
		const forward = -new Vector3().copy(lightDirection).transformDirection(lens.matrixWorldInverse).z;
		if (!hasSky || forward <= 0) return { x: 0.5, y: 0.5, strength: 0 };
		const position = new Vector3().copy(lightDirection).multiplyScalar(lens.far / 2);
		position.add(new Vector3().setFromMatrixPosition(lens.matrixWorld)).project(lens);
		const outside = Math.max(Math.abs(position.x), Math.abs(position.y)) - 1;
		const strength = Math.min(1, forward * 4) * Math.max(0, 1 - Math.max(0, outside));
		return { x: position.x / 2 + 0.5, y: 0.5 - position.y / 2, strength };
	}

	#setUniforms(post: FramePost): void {
		const { exposure, temperature, ssao_intensity, contrast, saturation } = post;
		this.#bounceStrength.value = post.bounce_intensity;
		this.#shaftStrength.value = post.light_shafts_intensity;
		const warm = new Vector3(2 ** (STOPS * temperature), 1, 2 ** (-STOPS * temperature));
		// The temperature does not change the brightness of white.
		warm.divideScalar(warm.x * 0.2126 + warm.y * 0.7152 + warm.z * 0.0722);
		this.#exposure.value.copy(warm).multiplyScalar(2 ** exposure);
		this.#occlusionStrength.value = ssao_intensity;
		this.#contrast.value = contrast;
		this.#saturation.value = saturation;
	}

	/**
	 * Returns the passes for these settings. New passes are made only if the set of effects, the samples or the
	 * lens changes.
	 */
	#passesFor(lens: Lens, post: FramePost, { isSmooth }: Surface): Passes {
		const isCheap = this.#quality.software && post.fxaa_enabled;
		const samples = isSmooth && !readsDepth(post) && !isCheap ? SAMPLES : 0;
		const effects = EFFECTS.map((name) => (post[name] ? 1 : 0)).join('');
		const key = `${lens.uuid} ${effects} ${samples}`;
		if (this.#passes?.key === key) return this.#passes;
		this.#passes?.dispose();
		const passes = new Passes(key, lens, post, samples, this.#quality);
		passes.finish(
			(light, glow) => {
				const exposed = light.mul(this.#exposure);
				return this.#gradeColor(glow === null ? exposed : exposed.add(glow(exposed)));
			},
			{ darkness: this.#occlusionStrength, bounce: this.#bounceStrength, shafts: this.#shaftStrength },
		);
		this.#passes = passes;
		return passes;
	}

	/** Returns the finished colour of light. */
	#gradeColor(light: Node<'vec3'>): Node<'vec3'> {
		const color = encodeLight(light).sub(0.5).mul(this.#contrast).add(0.5);
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

/** Position in the picture, from 0 to 1 from its top left corner, and strength of the shafts. */
interface Sun {
	readonly x: number;
	readonly y: number;
	readonly strength: number;
}

/** Strengths of effects. */
interface Strengths {
	readonly darkness: Node<'float'>;
	readonly bounce: Node<'float'>;
	readonly shafts: Node<'float'>;
}

type Glow = (light: Node<'vec3'>) => Node<'vec3'>;

/** Targets and quads for one choice of effects. */
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
	readonly #texelSize = uniform(new Vector2());
	readonly #quality: Quality;
	readonly #settings: FramePost;

	constructor(key: string, lens: Lens, settings: FramePost, samples: number, quality: Quality) {
		this.key = key;
		this.#lens = lens;
		this.#settings = settings;
		this.#quality = quality;
		this.light = this.#target(1, { type: HalfFloatType, depthBuffer: true, samples });
		if (readsDepth(settings)) this.light.depthTexture = new DepthTexture(1, 1);
		if (settings.ssao_enabled) {
			// The types require normals, but without them the node derives them from the depths.
			this.#occlusion = new Occlusion(texture(this.light.depthTexture!), null as unknown as Node, lens);
			this.#occlusion.samples.value = quality.occlusion_samples;
			this.#occlusion.resolutionScale = quality.occlusion_scale;
		}
	}

	/** Builds the passes. `color` turns light and its glow into finished colour. */
	finish(color: (light: Node<'vec3'>, glow: Glow | null) => Node<'vec3'>, strengths: Strengths): void {
		const { bloom_enabled, fxaa_enabled } = this.#settings;
		const litScene = this.#lightAfterEffects(strengths);
		const glow: Glow = (exposed) => {
			const bloom = new Bloom(vec4(exposed, 1), BLOOM_STRENGTH, BLOOM_RADIUS);
			bloom.highPassFn = aboveThreshold;
			bloom.setResolutionScale(this.#quality.bloom_scale);
			this.#bloom = bloom;
			return (bloom as Node<'vec4'>).rgb;
		};
		const finished = vec4(color(litScene, bloom_enabled ? glow : null), 1);
		if (!fxaa_enabled) {
			this.#addQuad(finished, 'surface');
			return;
		}
		const target = this.#target(1, { type: UnsignedByteType, colorSpace: NoColorSpace });
		this.#addQuad(finished, target);
		this.#addQuad(vec4(fxaa(texture(target.texture)) as unknown as Node<'vec4'>), 'surface');
	}

	/** Returns the light of the scene after all effects on light. */
	#lightAfterEffects({ darkness, bounce: bounced, shafts }: Strengths): Node<'vec3'> {
		const { bounce_enabled, light_shafts_enabled, depth_of_field_enabled } = this.#settings;
		const sceneLight = texture(this.light.texture);
		const scene = { light: sceneLight, depth: this.light.depthTexture!, lens: this.#lens };
		const { occlusion_scale, bounce_samples, blur_samples, bloom_scale } = this.#quality;
		let light: Node<'vec3'> = sceneLight.rgb;
		if (this.#occlusion !== null) {
			const openness = this.#smoothBoth(this.#occlusion.getTextureNode(), occlusion_scale, UnsignedByteType);
			light = light.mul(pow(openness.r, darkness));
		}
		if (bounce_enabled) {
			const bounce = this.#addPass(this.#bounce.node(scene, bounce_samples), occlusion_scale);
			const smoothed = this.#smoothBoth(bounce, occlusion_scale, HalfFloatType);
			light = light.add(Bounce.tint(smoothed.rgb, light).mul(bounced));
		}
		if (light_shafts_enabled) {
			const source = this.#addPass(this.#shafts.source(scene), bloom_scale);
			const firstPass = this.#addPass(this.#shafts.smear(source, false), bloom_scale);
			light = light.add(this.#addPass(this.#shafts.smear(firstPass, true), bloom_scale).rgb.mul(shafts));
		}
		if (!depth_of_field_enabled) return light;
		const sharpLight = this.#addPass(vec4(light, 1), 1);
		return this.#addPass(this.#blur.node({ ...scene, light: sharpLight }, blur_samples), 1).rgb;
	}

	/** Sets the sizes and uniforms for the next picture. */
	set(post: FramePost, { width, height, focus }: Surface, sun: Sun): void {
		for (const { target, scale } of this.#targets)
			target.setSize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
		const { occlusion_scale } = this.#quality;
		this.#texelSize.value.set(1 / (width * occlusion_scale), 1 / (height * occlusion_scale));
		this.#occlusion?.size.set(width, height);
		if (this.#occlusion !== null) this.#occlusion.radius.value = post.ssao_radius;
		this.#bloom?.size.set(width, height);
		if (this.#bloom !== null) this.#bloom.threshold.value = post.bloom_threshold * WHITE_LIGHT;
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

	#addQuad(color: Node<'vec4'>, target: RenderTarget | 'surface'): void {
		const material = new NodeMaterial();
		material.depthTest = false;
		material.depthWrite = false;
		material.fragmentNode = color;
		material.name = 'post';
		this.quads.push({ quad: new QuadMesh(material), target });
	}

	/** Adds a pass that draws `color`. Returns the texture of its picture. */
	#addPass(color: Node<'vec4'>, scale: number): TextureNode<'vec4'> {
		const target = this.#target(scale, { type: HalfFloatType });
		this.#addQuad(color, target);
		return texture(target.texture);
	}

	#smoothBoth(source: TextureNode, scale: number, type: TextureDataType): TextureNode<'vec4'> {
		return this.#smooth(this.#smooth(source, vec2(1, 0), scale, type), vec2(0, 1), scale, type);
	}

	/**
	 * Adds a pass that smooths a picture along one axis over five texels, the width of its noise, but not
	 * across edges.
	 */
	#smooth(
		source: TextureNode,
		axis: Node<'vec2'>,
		scale: number,
		type: TextureDataType,
	): TextureNode<'vec4'> {
		const scene = { depth: this.light.depthTexture!, lens: this.#lens };
		const node = Fn(() => {
			const distance = distanceAt(scene, uv()).toVar();
			const sum = vec3(0).toVar();
			const weights = float(0).toVar();
			for (let step = -2; step <= 2; step++) {
				const position = uv().add(axis.mul(this.#texelSize).mul(step));
				const weight = exp(abs(distanceAt(scene, position).sub(distance)).div(-EDGE_DEPTH));
				sum.addAssign(source.sample(position).rgb.mul(weight));
				weights.addAssign(weight);
			}
			return vec4(sum.div(max(weights, 1e-4)), 1);
		})();
		const target = this.#target(scale, { type });
		this.#addQuad(node, target);
		return texture(target.texture);
	}
}
