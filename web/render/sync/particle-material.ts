/**
 * The material of particles: its shaders compute the flight, turn, size and colour of each particle.
 * Owns: the reading of the table of emitters.
 */

import {
	attribute,
	cameraPosition,
	cameraWorldMatrix,
	clamp,
	cos,
	cross,
	exp,
	Fn,
	float,
	floor,
	fract,
	hash,
	int,
	ivec2,
	length,
	mix,
	normalize,
	positionGeometry,
	pow,
	select,
	sin,
	smoothstep,
	sqrt,
	texture,
	textureLoad,
	uint,
	uv,
	varying,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	AdditiveBlending,
	MeshBasicNodeMaterial,
	type Node,
	NormalBlending,
	type Texture,
} from 'three/webgpu';
import { turned } from '../materials.ts';
import type { Air } from '../scene/air.ts';

/** Points over the lifetime for which colour and size are stored. */
export const STOPS = 4;

/** Returns the numbers of one particle, as nodes: its attributes, and the row of its emitter in the table. */
function particleNodes(table: Texture) {
	const particle = attribute<'vec4'>('particle', 'vec4');
	const { x: age, y: share, z: bits } = particle;
	const row = int(particle.w.add(0.5));
	return {
		/** Age in seconds. */
		age,
		/** Elapsed share of its lifetime. */
		share,
		/** Returns the numbers of its emitter at a texel of the row. */
		of: (place: Node<'int'> | number): Node<'vec4'> =>
			textureLoad(table, ivec2(typeof place === 'number' ? int(place) : place, row)),
		/** Returns the nth random number of the particle, 0 to 1. */
		chance: (n: number): Node<'float'> => hash(uint(bits).add(uint(n * 0x1000000))),
	};
}

type ParticleNodes = ReturnType<typeof particleNodes>;

/** Returns the starting position of a particle relative to its emitter, in the emitter's own axes. */
function origin({ of, chance }: ParticleNodes): Node<'vec3'> {
	const { xyz: size } = of(2);
	const shape = of(0).w;
	const round = chance(0).mul(Math.PI * 2);
	const level = chance(1).mul(2).sub(1);
	const flat = sqrt(float(1).sub(level.mul(level)));
	const ball = vec3(cos(round).mul(flat), level, sin(round).mul(flat)).mul(
		pow(chance(2), float(1 / 3)).mul(0.5),
	);
	const box = vec3(chance(0), chance(1), chance(2)).sub(0.5);
	const far = sqrt(chance(1)).mul(0.5);
	const disc = vec3(cos(round).mul(far), 0, sin(round).mul(far));
	const inside = select(shape.lessThan(1.5), ball, select(shape.lessThan(2.5), box, disc));
	return select(shape.lessThan(0.5), vec3(0), inside.mul(size));
}

/** Returns the starting direction of a particle, a unit vector in the emitter's own axes. */
function heading({ of, chance }: ParticleNodes): Node<'vec3'> {
	const direction = of(3).xyz;
	const aside = select(direction.y.abs().greaterThan(0.99), vec3(1, 0, 0), vec3(0, 1, 0));
	const across = normalize(cross(direction, aside));
	const up = cross(across, direction);
	const round = chance(3).mul(Math.PI * 2);
	const straight = mix(cos(of(2).w), float(1), chance(4));
	const off = sqrt(clamp(float(1).sub(straight.mul(straight)), 0, 1));
	return direction.mul(straight).add(
		across
			.mul(cos(round))
			.add(up.mul(sin(round)))
			.mul(off),
	);
}

/** Returns the starting velocity of a particle. */
function startOf(nodes: ParticleNodes): Node<'vec3'> {
	const { of, chance } = nodes;
	const speed = mix(of(6).x, of(6).y, chance(5));
	return turned(of(1), heading(nodes)).mul(speed);
}

/** Returns the place of a particle at its age. */
function placeOf(nodes: ParticleNodes, start: Node<'vec3'>): Node<'vec3'> {
	const { age, of, chance } = nodes;
	const [drag, gravity] = [of(4).w, of(5).xyz];
	// Time of undamped flight over the same distance (s).
	const worth = select(
		drag.greaterThan(0.001),
		float(1)
			.sub(exp(drag.mul(age).negate()))
			.div(drag),
		age,
	);
	const sway = of(3).w;
	const phase = vec3(chance(6), chance(7), chance(8)).mul(Math.PI * 2);
	const swayed = sin(phase.add(vec3(1.9, 1.3, 2.3).mul(age)))
		.sub(sin(phase))
		.mul(sway);
	return of(0)
		.xyz.add(turned(of(1), origin(nodes)))
		.add(start.mul(worth))
		.add(gravity.mul(age.mul(age).mul(0.5)))
		.sub(of(4).xyz.mul(age))
		.add(swayed);
}

/** Returns the size of a particle at its age. */
function sizeOf({ share, of }: ParticleNodes): Node<'float'> {
	const stop = share.mul(STOPS - 1);
	const sizes = of(11);
	return select(
		stop.lessThan(1),
		mix(sizes.x, sizes.y, stop),
		select(stop.lessThan(2), mix(sizes.y, sizes.z, stop.sub(1)), mix(sizes.z, sizes.w, stop.sub(2))),
	);
}

/** Returns the place of a corner of a particle. A stretched particle extends along its velocity. */
function cornerOf(nodes: ParticleNodes, stretched: boolean): Node<'vec3'> {
	const { age, of, chance } = nodes;
	const start = startOf(nodes).toVar();
	const position = placeOf(nodes, start).toVar();
	const size = sizeOf(nodes);
	const right = cameraWorldMatrix.mul(vec4(1, 0, 0, 0)).xyz;
	const up = cameraWorldMatrix.mul(vec4(0, 1, 0, 0)).xyz;
	if (stretched) {
		const velocity = start
			.mul(exp(of(4).w.mul(age).negate()))
			.add(of(5).xyz.mul(age))
			.sub(of(4).xyz);
		const way = velocity.mul(of(6).w).toVar();
		const long = length(way).toVar();
		const axis = way.div(long.max(1e-5));
		const wide = normalize(cross(axis, cameraPosition.sub(position)));
		return position
			.add(wide.mul(positionGeometry.x).mul(size))
			.add(axis.mul(positionGeometry.y).mul(size.add(long)));
	}
	const angle = of(5)
		.w.mul(age)
		.add(chance(9).mul(Math.PI * 2));
	const corner = vec2(
		positionGeometry.x.mul(cos(angle)).sub(positionGeometry.y.mul(sin(angle))),
		positionGeometry.x.mul(sin(angle)).add(positionGeometry.y.mul(cos(angle))),
	);
	return position.add(right.mul(corner.x).add(up.mul(corner.y)).mul(size));
}

/** Returns the colour of a particle at its age. */
function colorOf({ share, of }: ParticleNodes): Node<'vec4'> {
	const stop = share.mul(STOPS - 1);
	const last = clamp(floor(stop), 0, STOPS - 2);
	const first = int(last.add(0.5)).add(7);
	return varying(mix(of(first), of(first.add(1)), select(share.greaterThanEqual(1), float(1), fract(stop))));
}

/** Returns the material for particles of one kind. `table`: texture of emitters. */
export function particleMaterial(
	table: Texture,
	air: Air,
	picture: Texture | null,
	additive: boolean,
	stretched: boolean,
): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthWrite = false;
	material.toneMapped = false;
	material.blending = additive ? AdditiveBlending : NormalBlending;
	const nodes = particleNodes(table);
	material.positionNode = Fn(() => cornerOf(nodes, stretched))();
	const color = colorOf(nodes);
	const lit = varying(nodes.of(6).z);
	const distance = length(uv().sub(0.5)).mul(2);
	const soft = float(1).sub(smoothstep(0.15, 1, distance));
	const laid: Node<'vec4'> = picture === null ? vec4(1, 1, 1, soft.mul(soft)) : texture(picture, uv());
	const light = color.xyz.mul(laid.xyz);
	material.fragmentNode = vec4(air.floating(light, lit, additive), color.w.mul(laid.w));
	material.name = 'particles';
	return material;
}
