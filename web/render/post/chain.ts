/**
 * Post-processing: the scene as light, then ambient occlusion, bloom, exposure, the curve, grading and smoothed edges.
 * Owns: the targets and the passes of one stage, at the size of its picture. Loaded when a world first asks for it.
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
	orthographicDepthToViewZ,
	perspectiveDepthToViewZ,
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
	OrthographicCamera,
	type PerspectiveCamera,
	QuadMesh,
	RenderTarget,
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

type Lens = PerspectiveCamera | OrthographicCamera;

/** Samples a pixel where edges are not smoothed otherwise, and depth is not read. */
const SAMPLES = 4;
const BLOOM_STRENGTH = 0.45;
const BLOOM_RADIUS = 0.35;
/** The light of white paint in full sun, which thresholds are given in. */
const WHITE = 2.5;
/** Rise of red and fall of blue at temperature 1, in stops. */
const WARM = 0.45;
/** A neighbour this much nearer or farther (m) hardly counts when occlusion is smoothed. */
const EDGE = 0.15;

/**
 * Surface that a picture is drawn on: a target, or null for the canvas; its size, and true if several samples a pixel
 * are wanted.
 */
export interface Surface {
	readonly target: RenderTarget | null;
	readonly width: number;
	readonly height: number;
	readonly smooth: boolean;
}

/** three's nodes take the canvas's size; these go by the picture's, so that captures do not depend on the canvas. */
class Bloom extends BloomNode {
	readonly size = new Vector2(1, 1);
	override setSize(): void {
		// Its smallest picture is a 32nd of the largest.
		const least = 32 / this.getResolutionScale();
		super.setSize(Math.max(this.size.x, least), Math.max(this.size.y, least));
	}
}

/**
 * Returns the part of a light above the threshold, by its strongest colour: so that coloured lamps glow as white ones
 * do.
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
		passes.set(post, surface.width, surface.height);
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

	#set({ exposure, temperature, ssao_intensity, contrast, saturation }: FramePost): void {
		const warm = new Vector3(2 ** (WARM * temperature), 1, 2 ** (-WARM * temperature));
		// White stays as bright as it was.
		warm.divideScalar(warm.x * 0.2126 + warm.y * 0.7152 + warm.z * 0.0722);
		this.#exposure.value.copy(warm).multiplyScalar(2 ** exposure);
		this.#occlusion.value = ssao_intensity;
		this.#contrast.value = contrast;
		this.#saturation.value = saturation;
	}

	/** The passes for these settings; others are made only when another effect is wanted, or another kind of camera. */
	#passesFor(lens: Lens, post: FramePost, { smooth }: Surface): Passes {
		const { ssao_enabled, bloom_enabled, fxaa_enabled } = post;
		const cheap = this.#quality.software && fxaa_enabled;
		const samples = smooth && !ssao_enabled && !cheap ? SAMPLES : 0;
		const key = `${lens.uuid} ${ssao_enabled} ${bloom_enabled} ${fxaa_enabled} ${samples}`;
		if (this.#passes?.key === key) return this.#passes;
		this.#passes?.dispose();
		const passes = new Passes(key, lens, post, samples, this.#quality);
		passes.finish((light, glow) => {
			const exposed = light.mul(this.#exposure);
			return this.#graded(glow === null ? exposed : exposed.add(glow(exposed)));
		}, this.#occlusion);
		this.#passes = passes;
		return passes;
	}

	/** Light to finished colour. */
	#graded(light: Node<'vec3'>): Node<'vec3'> {
		const color = finish(light).sub(0.5).mul(this.#contrast).add(0.5);
		const grey = vec3(dot(color, vec3(0.2126, 0.7152, 0.0722)));
		return clamp(mix(grey, color, this.#saturation), 0, 1);
	}
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
	/** Targets, each with its share of the picture's edge. */
	readonly #targets: { readonly target: RenderTarget; readonly scale: number }[] = [];
	readonly #step = uniform(new Vector2());
	readonly #quality: Quality;
	readonly #wanted: FramePost;

	constructor(key: string, lens: Lens, wanted: FramePost, samples: number, quality: Quality) {
		this.key = key;
		this.#lens = lens;
		this.#wanted = wanted;
		this.#quality = quality;
		this.light = this.#target(1, { type: HalfFloatType, depthBuffer: true, samples });
		if (wanted.ssao_enabled) {
			this.light.depthTexture = new DepthTexture(1, 1);
			// The types ask for normals, which the node works out of the depths when there are none.
			this.#occlusion = new Occlusion(texture(this.light.depthTexture), null as unknown as Node, lens);
			this.#occlusion.samples.value = quality.occlusion_samples;
			this.#occlusion.resolutionScale = quality.occlusion_scale;
		}
	}

	/** Puts the passes together: `color` makes light, and what glows of it, finished colour. */
	finish(color: (light: Node<'vec3'>, glow: Glow | null) => Node<'vec3'>, darkness: Node<'float'>): void {
		const { bloom_enabled, fxaa_enabled } = this.#wanted;
		let light: Node<'vec3'> = texture(this.light.texture).rgb;
		if (this.#occlusion !== null) {
			const open = this.#smoothed(this.#smoothed(this.#occlusion.getTextureNode(), vec2(1, 0)), vec2(0, 1));
			light = light.mul(pow(open.r, darkness));
		}
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

	/** Takes the numbers of the picture that is about to be drawn. */
	set({ ssao_radius, bloom_threshold }: FramePost, width: number, height: number): void {
		for (const { target, scale } of this.#targets)
			target.setSize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
		const { occlusion_scale } = this.#quality;
		this.#step.value.set(1 / (width * occlusion_scale), 1 / (height * occlusion_scale));
		this.#occlusion?.size.set(width, height);
		if (this.#occlusion !== null) this.#occlusion.radius.value = ssao_radius;
		this.#bloom?.size.set(width, height);
		if (this.#bloom !== null) this.#bloom.threshold.value = bloom_threshold * WHITE;
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

	/** A picture smoothed along one axis over five texels, the width of the occlusion's noise, but not over edges. */
	#smoothed(source: TextureNode, axis: Node<'vec2'>): TextureNode<'vec4'> {
		const { near, far } = this.#lens;
		const depths = texture(this.light.depthTexture!);
		const away = (place: Node<'vec2'>): Node<'float'> => {
			const depth = depths.sample(place).r;
			return this.#lens instanceof OrthographicCamera
				? orthographicDepthToViewZ(depth, float(near), float(far))
				: perspectiveDepthToViewZ(depth, float(near), float(far));
		};
		const node = Fn(() => {
			const here = away(uv()).toVar();
			const sum = float(0).toVar();
			const weights = float(0).toVar();
			for (let at = -2; at <= 2; at++) {
				const place = uv().add(axis.mul(this.#step).mul(at));
				const weight = exp(abs(away(place).sub(here)).div(-EDGE));
				sum.addAssign(source.sample(place).r.mul(weight));
				weights.addAssign(weight);
			}
			return vec4(vec3(sum.div(max(weights, 1e-4))), 1);
		})();
		const target = this.#target(this.#quality.occlusion_scale, { type: UnsignedByteType });
		this.#quad(node, target);
		return texture(target.texture);
	}
}
