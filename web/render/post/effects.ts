/**
 * Effects that read the light and the depths of a picture: bounced light, shafts of light, depth of field.
 * Owns: their shaders, each as a node for one pass over the picture. Their grain depends only on the pixel,
 * so the same scene gives the same picture.
 */

import {
	abs,
	clamp,
	cos,
	dot,
	exp,
	Fn,
	float,
	getNormalFromDepth,
	getViewPosition,
	interleavedGradientNoise,
	Loop,
	length,
	max,
	min,
	orthographicDepthToViewZ,
	perspectiveDepthToViewZ,
	screenCoordinate,
	sin,
	smoothstep,
	sqrt,
	step,
	texture,
	uniform,
	uv,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	type DepthTexture,
	type Node,
	OrthographicCamera,
	type PerspectiveCamera,
	type TextureNode,
	Vector2,
} from 'three/webgpu';

export type Lens = PerspectiveCamera | OrthographicCamera;

/** A picture before its colours are finished. */
export interface Scene {
	readonly light: TextureNode<'vec4'>;
	readonly depth: DepthTexture;
	readonly lens: Lens;
}

/** Samples in each of the two passes of light shafts. */
const SHAFT_SAMPLES = 10;
/** Share of the way to the sun along which shafts collect light. */
const SHAFT_SHARE = 0.9;
/** Angle between consecutive points of a spiral that fills a disc evenly (radians). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Depth from which on there is only sky. */
const SKY_DEPTH = 0.999999;
/** Gain of the samples' mean. It compensates for their fading with distance. */
const BOUNCE_GAIN = 5;
/** Maximum light that bounces or shines in shafts, so that lamps make no specks. */
const MAX_LIGHT = 4;

/** Returns the distance along the view axis at a position in the picture (m). */
export function distanceAt(
	{ depth, lens }: Pick<Scene, 'depth' | 'lens'>,
	position: Node<'vec2'>,
): Node<'float'> {
	const storedDepth = texture(depth).sample(position).r;
	const [near, far] = [uniform(lens.near), uniform(lens.far)];
	near.onRenderUpdate(() => lens.near);
	far.onRenderUpdate(() => lens.far);
	const viewZ =
		lens instanceof OrthographicCamera
			? orthographicDepthToViewZ(storedDepth, near, far)
			: perspectiveDepthToViewZ(storedDepth, near, far);
	return (viewZ as Node<'float'>).negate();
}

/** Light that reaches a surface from lit surfaces in its neighbourhood. */
export class Bounce {
	/** Distance from which light still arrives (m). */
	readonly radius = uniform(2);
	/** Height of a metre at a distance of one metre, as a share of the picture's height. */
	readonly scale = uniform(1);
	readonly aspect = uniform(1);

	node({ light, depth, lens }: Scene, samples: number): Node<'vec4'> {
		const depths = texture(depth);
		const unproject = uniform(lens.projectionMatrixInverse);
		const viewPosition = (position: Node<'vec2'>, storedDepth: Node<'float'>): Node<'vec3'> =>
			getViewPosition(position, storedDepth, unproject) as unknown as Node<'vec3'>;
		return Fn(() => {
			const sum = vec3(0).toVar();
			const depthHere = depths.sample(uv()).r.toVar();
			const position = viewPosition(uv(), depthHere).toVar();
			const normal = (
				getNormalFromDepth(uv(), depth as unknown as Node, unproject) as unknown as Node<'vec3'>
			).toVar();
			const distance = lens instanceof OrthographicCamera ? float(1) : max(position.z.negate(), 0.05);
			const reach = min(this.radius.mul(this.scale).div(distance), 0.35).toVar();
			const turn = (interleavedGradientNoise(screenCoordinate.xy) as Node<'float'>).mul(Math.PI * 2).toVar();
			Loop(samples, ({ i }) => {
				const index = float(i);
				const angle = index.mul(GOLDEN_ANGLE).add(turn);
				const offset = sqrt(index.add(0.5).div(samples)).mul(reach);
				const samplePosition = uv()
					.add(vec2(cos(angle).div(this.aspect), sin(angle)).mul(offset))
					.toVar();
				const sampleDepth = depths.sample(samplePosition).r.toVar();
				const direction = viewPosition(samplePosition, sampleDepth).sub(position).toVar();
				const sampleDistance = max(length(direction), 1e-4).toVar();
				const facing = max(dot(normal, direction.div(sampleDistance)).sub(0.08), 0);
				const closeness = max(float(1).sub(sampleDistance.div(this.radius)), 0);
				const isSurface = step(sampleDepth, float(SKY_DEPTH));
				const sampleLight = min(light.sample(samplePosition).rgb, vec3(MAX_LIGHT));
				sum.addAssign(sampleLight.mul(facing.mul(closeness).mul(isSurface)));
			});
			return vec4(sum.mul(step(depthHere, float(SKY_DEPTH)).mul(BOUNCE_GAIN / samples)), 1);
		})();
	}

	/** Returns bounced light tinted by the colour of the surface, which `light` shows. */
	static tint(bounced: Node<'vec3'>, light: Node<'vec3'>): Node<'vec3'> {
		const strongest = max(light.r, max(light.g, light.b));
		return bounced.mul(light.add(0.04).div(strongest.add(0.2)));
	}
}

/** Shafts of light: the bright sky around the sun, smeared away from the sun. */
export class Shafts {
	/** Position of the sun in the picture, from 0 to 1. */
	readonly centre = uniform(new Vector2(0.5, 0.5));
	/** 0 when the sun is behind the camera or far outside the picture. */
	readonly strength = uniform(0);
	readonly aspect = uniform(1);

	/** Returns the sky around the sun, black where objects hide it. */
	source({ light, depth }: Scene): Node<'vec4'> {
		return Fn(() => {
			const storedDepth = texture(depth).sample(uv()).r;
			const offset = uv().sub(this.centre).mul(vec2(this.aspect, 1));
			const falloff = exp(dot(offset, offset).mul(-7));
			const skyLight = min(light.sample(uv()).rgb, vec3(MAX_LIGHT));
			return vec4(skyLight.mul(step(float(SKY_DEPTH), storedDepth)).mul(falloff), 1);
		})();
	}

	/**
	 * Returns one of two passes that smear `source`; together they take `SHAFT_SAMPLES` squared samples
	 * towards the sun.
	 */
	smear(source: TextureNode<'vec4'>, isLast: boolean): Node<'vec4'> {
		const stride = (isLast ? 1 : 1 / SHAFT_SAMPLES) * SHAFT_SHARE;
		return Fn(() => {
			const direction = this.centre
				.sub(uv())
				.mul(stride / SHAFT_SAMPLES)
				.toVar();
			const sum = vec3(0).toVar();
			Loop(SHAFT_SAMPLES, ({ i }) => {
				const index = float(i);
				const fade = isLast ? float(1).sub(index.div(SHAFT_SAMPLES * 1.25)) : float(1);
				sum.addAssign(source.sample(uv().add(direction.mul(index))).rgb.mul(fade));
			});
			return vec4(sum.mul((isLast ? 1.7 : 1) / SHAFT_SAMPLES).mul(isLast ? this.strength : 1), 1);
		})();
	}
}

/** Depth of field: each surface is spread over a disc that grows with its distance from the focus. */
export class Blur {
	/** Distance of the focus (m). */
	readonly focus = uniform(10);
	/** Distance from the focus at which the blur is strongest (m). */
	readonly range = uniform(10);
	/** Radius of the strongest blur, as a share of the picture's height. */
	readonly size = uniform(0.008);
	readonly aspect = uniform(1);

	node(scene: Scene, samples: number): Node<'vec4'> {
		const blurAt = (distance: Node<'float'>): Node<'float'> =>
			smoothstep(0, 1, clamp(abs(distance.sub(this.focus)).div(this.range), 0, 1));
		return Fn(() => {
			const distance = distanceAt(scene, uv()).toVar();
			const blurHere = blurAt(distance).toVar();
			const sum = vec3(scene.light.sample(uv()).rgb).toVar();
			const weights = float(1).toVar();
			const turn = (interleavedGradientNoise(screenCoordinate.xy) as Node<'float'>).mul(Math.PI * 2).toVar();
			Loop(samples, ({ i }) => {
				const index = float(i);
				const angle = index.mul(GOLDEN_ANGLE).add(turn);
				const offset = sqrt(index.add(0.5).div(samples)).toVar();
				const samplePosition = uv()
					.add(vec2(cos(angle).div(this.aspect), sin(angle)).mul(offset.mul(this.size)))
					.toVar();
				const sampleDistance = distanceAt(scene, samplePosition).toVar();
				const sampleBlur = blurAt(sampleDistance).toVar();
				// A blurred background does not spread over a sharp foreground.
				const reach = sampleDistance
					.greaterThan(distance.mul(1.02))
					.select(min(sampleBlur, blurHere), sampleBlur);
				const weight = smoothstep(offset.sub(0.12), offset.add(0.02), reach);
				sum.addAssign(scene.light.sample(samplePosition).rgb.mul(weight));
				weights.addAssign(weight);
			});
			return vec4(sum.div(weights), 1);
		})();
	}
}
