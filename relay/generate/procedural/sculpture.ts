/**
 * A model under construction: painted solids, then a GLB.
 * Owns: the surfaces that models have, one draw each. Vertices carry the colours, so no model needs a picture.
 */

import { GlbWriter, readGlb } from './glb.ts';
import type { Point, Solid } from './solid.ts';

/** sRGB, such as 0xffcc88. */
export type Hue = number;

/** `own`: keeps its colour; `tint`: takes that of the entity; `metal`: shines; `glow`: gives light off. */
export type SkinSurface = 'own' | 'tint' | 'metal' | 'glow';

const SURFACES: Readonly<Record<SkinSurface, object>> = {
	own: { name: 'own', pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.9 } },
	tint: { name: 'tint', pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.8 } },
	metal: { name: 'metal', pbrMetallicRoughness: { metallicFactor: 0.7, roughnessFactor: 0.42 } },
	// A surface has one emission for all of it: warm, as lamps and lit windows are.
	glow: {
		name: 'glow',
		pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 },
		emissiveFactor: [1, 0.48, 0.13],
		extensions: { KHR_materials_emissive_strength: { emissiveStrength: 1.4 } },
	},
};

/** Shade at the foot of a thing on the ground, and the height (m) up to which it gets lighter. */
const FOOT = 0.62;
const FOOT_HEIGHT = 0.45;

/** A clip that moves the whole model, which stands on its origin. */
export interface Movement {
	readonly name: string;
	/** Seconds of the keys. */
	readonly times: readonly number[];
	/** Metres at each key: x, y, z. */
	readonly shifts: readonly number[];
	/** Rotation at each key: a quaternion x, y, z, w. */
	readonly turns: readonly number[];
}

interface Skin {
	readonly positions: number[];
	readonly colors: number[];
	readonly index: number[];
	readonly known: Map<string, number>;
}

export class Sculpture {
	readonly #skins = new Map<SkinSurface, Skin>();
	#movements: readonly Movement[] = [];
	#solids = 0;

	/** Reads a file that `glb` wrote. Its positions are whole millimetres, so the result writes the same file. */
	static read(file: Uint8Array): Sculpture {
		const sculpture = new Sculpture();
		const { document, numbers } = readGlb(file);
		for (const { attributes, indices, material } of document.meshes[0]!.primitives)
			sculpture.#skins.set(document.materials[material]!.name as SkinSurface, {
				positions: numbers(attributes.POSITION).map(toMillimetre),
				colors: numbers(attributes.COLOR_0),
				index: numbers(indices),
				known: new Map(),
			});
		sculpture.#movements = (document.animations ?? []).map(({ name, channels, samplers }) => {
			const samplerOf = (path: string) =>
				samplers[channels.find(({ target }) => target.path === path)!.sampler]!;
			const [shifts, turns] = [samplerOf('translation'), samplerOf('rotation')];
			return {
				name,
				times: numbers(shifts.input),
				shifts: numbers(shifts.output),
				turns: numbers(turns.output),
			};
		});
		return sculpture;
	}

	/** Gives it clips. */
	move(movements: readonly Movement[]): this {
		this.#movements = movements;
		return this;
	}

	/** Adds a solid in one colour, or one that goes from the first below to the second above. */
	add(solid: Solid, hue: Hue | readonly [Hue, Hue], surface: SkinSurface = 'own'): this {
		let skin = this.#skins.get(surface);
		if (skin === undefined) {
			skin = { positions: [], colors: [], index: [], known: new Map() };
			this.#skins.set(surface, skin);
		}
		const [low = [], high = []] = (typeof hue === 'number' ? [hue, hue] : hue).map(linear);
		const heights = solid.flatMap((face) => face.map(([, y]) => y));
		const [least, most] = [Math.min(...heights), Math.max(...heights)];
		// No two pieces of quite the same colour, as by hand.
		const unlike = surface === 'glow' ? 1 : 0.95 + 0.1 * ((this.#solids++ * 0.618034) % 1);
		for (const face of solid) {
			const corners = face.map((point) => {
				const share = most > least ? (point[1] - least) / (most - least) : 1;
				const foot =
					surface === 'glow' ? 1 : FOOT + (1 - FOOT) * Math.min(1, Math.max(0, point[1]) / FOOT_HEIGHT);
				const color = low.map((part, i) => (part + (high[i]! - part) * share) * unlike * foot);
				return vertex(skin, point, color);
			});
			for (let i = 1; i + 1 < corners.length; i++) skin.index.push(corners[0]!, corners[i]!, corners[i + 1]!);
		}
		return this;
	}

	/** Gives all of it a colour that is not metal or light: what was light stays lighter, what was dark darker. */
	dye(hue: Hue): this {
		const linearHue = linear(hue);
		for (const [surface, { colors }] of this.#skins) {
			if (surface === 'glow' || surface === 'metal') continue;
			for (let at = 0; at < colors.length; at += 4) {
				const light = 0.2126 * colors[at]! + 0.7152 * colors[at + 1]! + 0.0722 * colors[at + 2]!;
				// Some of its own colour stays, so that parts can still be told from each other.
				for (let i = 0; i < 3; i++)
					colors[at + i] = Math.min(
						255,
						Math.round(0.12 * colors[at + i]! + 0.88 * linearHue[i]! * Math.min(255, light * 2.2 + 30)),
					);
			}
		}
		return this;
	}

	/** Makes all of it that is neither of one surface: metal or light. */
	wear(surface: 'metal' | 'glow'): this {
		for (const plain of ['own', 'tint'] as const) {
			const skin = this.#skins.get(plain);
			if (skin === undefined) continue;
			this.#skins.delete(plain);
			const worn = this.#skins.get(surface);
			if (worn === undefined) this.#skins.set(surface, skin);
			else join(worn, skin);
		}
		return this;
	}

	/** Makes it so many times as wide, high and deep. */
	stretch(x: number, y: number, z: number): this {
		for (const { positions } of this.#skins.values())
			for (let i = 0; i < positions.length; i++)
				positions[i] = toMillimetre(positions[i]! * [x, y, z][i % 3]!);
		return this;
	}

	/** Returns the file. Without normals, as the format has it, faces are flat. */
	glb(): Uint8Array {
		const writer = new GlbWriter();
		const skins = [...this.#skins];
		const primitives = skins.map(([, { positions, colors, index }], material) => ({
			attributes: {
				POSITION: writer.accessor('VEC3', Float32Array.from(positions)),
				COLOR_0: writer.accessor('VEC4', Uint8Array.from(colors), true),
			},
			indices: writer.accessor('SCALAR', Uint16Array.from(index)),
			material,
		}));
		const animations = this.#movements.map(({ name, times, shifts, turns }) => {
			const input = writer.accessor('SCALAR', Float32Array.from(times));
			const outputs = {
				translation: writer.accessor('VEC3', Float32Array.from(shifts)),
				rotation: writer.accessor('VEC4', Float32Array.from(turns)),
			};
			return {
				name,
				channels: Object.keys(outputs).map((path, sampler) => ({ sampler, target: { node: 0, path } })),
				samplers: Object.values(outputs).map((output) => ({ input, output })),
			};
		});
		return writer.glb({
			...(animations.length > 0 ? { animations } : {}),
			...(this.#skins.has('glow') ? { extensionsUsed: ['KHR_materials_emissive_strength'] } : {}),
			scene: 0,
			scenes: [{ nodes: [0] }],
			nodes: [{ mesh: 0 }],
			meshes: [{ primitives }],
			materials: skins.map(([surface]) => SURFACES[surface]),
		});
	}
}

/** Adds one skin to another. */
function join(to: Skin, from: Skin): void {
	const first = to.positions.length / 3;
	to.positions.push(...from.positions);
	to.colors.push(...from.colors);
	to.index.push(...from.index.map((index) => index + first));
}

const toMillimetre = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** Returns the index of a vertex of a place, to the millimetre, and a colour. */
function vertex({ known, positions, colors }: Skin, point: Point, color: readonly number[]): number {
	const rounded = point.map(toMillimetre);
	const bytes = [...color.map((part) => Math.round(Math.min(1, part) * 255)), 255];
	const key = `${rounded} ${bytes}`;
	let index = known.get(key);
	if (index === undefined) {
		index = positions.push(...rounded) / 3 - 1;
		colors.push(...bytes);
		known.set(key, index);
	}
	return index;
}

/** Returns the linear parts of a colour. */
function linear(hue: Hue): number[] {
	return [16, 8, 0].map((shift) => {
		const part = ((hue >> shift) & 255) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
}
