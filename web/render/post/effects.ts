/**
 * Effects that read the light of a picture and its depths: bounced light, shafts of light, depth of field.
 * Owns: their shaders, each as a node for one pass over the picture. Their grain depends only on the pixel, so the same
 * scene gives the same picture.
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
const TAPS = 10;
/** Share of the way to the sun along which shafts collect light. */
const REACH = 0.9;
/** Angle between points of a spiral that fills a disc evenly. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** Depth from which on there is only sky. */
const SKY_DEPTH = 0.999999;
/** Gain that turns the mean of the samples, which fade with distance, into about the light of a half-open corner. */
const BOUNCE_GAIN = 5;
/** Brightest light that bounces or shines in shafts, so that lamps make no specks. */
const MAX_LIGHT = 4;

/** Returns the distance along the view axis at a position in the picture (m). */
export function distanceAt(
	{ depth, lens }: Pick<Scene, 'depth' | 'lens'>,
	position: Node<'vec2'>,
): Node<'float'> {
	const stored = texture(depth).sample(position).r;
	const [near, far] = [uniform(lens.near), uniform(lens.far)];
	near.onRenderUpdate(() => lens.near);
	far.onRenderUpdate(() => lens.far);
	const viewZ =
		lens instanceof OrthographicCamera
			? orthographicDepthToViewZ(stored, near, far)
			: perspectiveDepthToViewZ(stored, near, far);
	return (viewZ as Node<'float'>).negate();
}

/** Light that reaches a surface from the lit surfaces near it. */
export class Bounce {
	/** Distance from which light still arrives (m). */
	readonly radius = uniform(2);
	/** Height of a metre at a distance of one metre, as a share of the picture's height. */
	readonly scale = uniform(1);
	readonly aspect = uniform(1);

	node({ light, depth, lens }: Scene, samples: number): Node<'vec4'> {
		const depths = texture(depth);
		const unproject = uniform(lens.projectionMatrixInverse);
		const at = (position: Node<'vec2'>, stored: Node<'float'>): Node<'vec3'> =>
			getViewPosition(position, stored, unproject) as unknown as Node<'vec3'>;
		return Fn(() => {
			const sum = vec3(0).toVar();
			const here = depths.sample(uv()).r.toVar();
			const position = at(uv(), here).toVar();
			const normal = (
				getNormalFromDepth(uv(), depth as unknown as Node, unproject) as unknown as Node<'vec3'>
			).toVar();
			const distance = lens instanceof OrthographicCamera ? float(1) : max(position.z.negate(), 0.05);
			const reach = min(this.radius.mul(this.scale).div(distance), 0.35).toVar();
			const turn = (interleavedGradientNoise(screenCoordinate.xy) as Node<'float'>).mul(Math.PI * 2).toVar();
			Loop(samples, ({ i }) => {
				const index = float(i);
				const angle = index.mul(GOLDEN).add(turn);
				const out = sqrt(index.add(0.5).div(samples)).mul(reach);
				const spot = uv()
					.add(vec2(cos(angle).div(this.aspect), sin(angle)).mul(out))
					.toVar();
				const stored = depths.sample(spot).r.toVar();
				const way = at(spot, stored).sub(position).toVar();
				const far = max(length(way), 1e-4).toVar();
				const faces = max(dot(normal, way.div(far)).sub(0.08), 0);
				const near = max(float(1).sub(far.div(this.radius)), 0);
				const seen = step(stored, float(SKY_DEPTH));
				const shine = min(light.sample(spot).rgb, vec3(MAX_LIGHT));
				sum.addAssign(shine.mul(faces.mul(near).mul(seen)));
			});
			return vec4(sum.mul(step(here, float(SKY_DEPTH)).mul(BOUNCE_GAIN / samples)), 1);
		})();
	}

	/** Returns bounced light tinted by the colour of the surface, which `light` shows. */
	static sentOn(bounced: Node<'vec3'>, light: Node<'vec3'>): Node<'vec3'> {
		const most = max(light.r, max(light.g, light.b));
		return bounced.mul(light.add(0.04).div(most.add(0.2)));
	}
}

/** Shafts of light: the bright sky around the sun, smeared away from the sun. */
export class Shafts {
	/** Place of the sun in the picture. */
	readonly centre = uniform(new Vector2(0.5, 0.5));
	/** 0 when the sun is behind the camera or far outside the picture. */
	readonly strength = uniform(0);
	readonly aspect = uniform(1);

	/** Returns the sky around the sun, black where objects hide it. */
	source({ light, depth }: Scene): Node<'vec4'> {
		return Fn(() => {
			const stored = texture(depth).sample(uv()).r;
			const apart = uv().sub(this.centre).mul(vec2(this.aspect, 1));
			const fall = exp(dot(apart, apart).mul(-7));
			const shine = min(light.sample(uv()).rgb, vec3(MAX_LIGHT));
			return vec4(shine.mul(step(float(SKY_DEPTH), stored)).mul(fall), 1);
		})();
	}

	/** Returns one of two passes that smear `source`; together they take `TAPS` squared samples towards the sun. */
	drawnOut(source: TextureNode<'vec4'>, isLast: boolean): Node<'vec4'> {
		const stride = (isLast ? 1 : 1 / TAPS) * REACH;
		return Fn(() => {
			const way = this.centre
				.sub(uv())
				.mul(stride / TAPS)
				.toVar();
			const sum = vec3(0).toVar();
			Loop(TAPS, ({ i }) => {
				const index = float(i);
				const fade = isLast ? float(1).sub(index.div(TAPS * 1.25)) : float(1);
				sum.addAssign(source.sample(uv().add(way.mul(index))).rgb.mul(fade));
			});
			return vec4(sum.mul((isLast ? 1.7 : 1) / TAPS).mul(isLast ? this.strength : 1), 1);
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
		const spread = (distance: Node<'float'>): Node<'float'> =>
			smoothstep(0, 1, clamp(abs(distance.sub(this.focus)).div(this.range), 0, 1));
		return Fn(() => {
			const distance = distanceAt(scene, uv()).toVar();
			const own = spread(distance).toVar();
			const sum = vec3(scene.light.sample(uv()).rgb).toVar();
			const weights = float(1).toVar();
			const turn = (interleavedGradientNoise(screenCoordinate.xy) as Node<'float'>).mul(Math.PI * 2).toVar();
			Loop(samples, ({ i }) => {
				const index = float(i);
				const angle = index.mul(GOLDEN).add(turn);
				const out = sqrt(index.add(0.5).div(samples)).toVar();
				const spot = uv()
					.add(vec2(cos(angle).div(this.aspect), sin(angle)).mul(out.mul(this.size)))
					.toVar();
				const there = distanceAt(scene, spot).toVar();
				const theirs = spread(there).toVar();
				// A blurred background does not spread over a sharp foreground.
				const reach = there.greaterThan(distance.mul(1.02)).select(min(theirs, own), theirs);
				const weight = smoothstep(out.sub(0.12), out.add(0.02), reach);
				sum.addAssign(scene.light.sample(spot).rgb.mul(weight));
				weights.addAssign(weight);
			});
			return vec4(sum.div(weights), 1);
		})();
	}
}
