/**
 * A model under construction: painted solids, then a GLB.
 * Owns: the surfaces of models, each with one draw call. Vertices have the colours, so no model needs a texture.
 */

import { GlbWriter, readGlb } from './glb.ts';
import type { Point, Solid } from './solid.ts';

/** Colour in sRGB, such as 0xffcc88. */
export type Hue = number;

/** `own` keeps its colour, `tint` takes the colour of the entity, `metal` is shiny, and `glow` emits light. */
export type SkinSurface = 'own' | 'tint' | 'metal' | 'glow';

const SURFACES: Readonly<Record<SkinSurface, object>> = {
	own: { name: 'own', pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.9 } },
	tint: { name: 'tint', pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.8 } },
	metal: { name: 'metal', pbrMetallicRoughness: { metallicFactor: 0.7, roughnessFactor: 0.42 } },
	// All glowing parts have one emission. It is warm, like lamps and lit windows.
	glow: {
		name: 'glow',
		pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 },
		emissiveFactor: [1, 0.48, 0.13],
		extensions: { KHR_materials_emissive_strength: { emissiveStrength: 1.4 } },
	},
};

/** Brightness of a model at the ground. */
const FOOT_SHADE = 0.62;
/** Height (m) at which a model has its full brightness. */
const FOOT_HEIGHT = 0.45;

/** An animation clip that moves the whole model. */
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
	/** Indices of vertices by their position and colour. */
	readonly vertices: Map<string, number>;
}

export class Sculpture {
	readonly #skins = new Map<SkinSurface, Skin>();
	#movements: readonly Movement[] = [];
	#solidCount = 0;

	/** Reads a file that `glb` wrote. Its positions are whole millimetres, so that `glb` writes the same file again. */
	static read(file: Uint8Array): Sculpture {
		const sculpture = new Sculpture();
		const { document, numbers } = readGlb(file);
		for (const { attributes, indices, material } of document.meshes[0]!.primitives)
			sculpture.#skins.set(document.materials[material]!.name as SkinSurface, {
				positions: numbers(attributes.POSITION).map(toMillimetre),
				colors: numbers(attributes.COLOR_0),
				index: numbers(indices),
				vertices: new Map(),
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

	/** Sets the animation clips. */
	setMovements(movements: readonly Movement[]): this {
		this.#movements = movements;
		return this;
	}

	/** Adds a solid in one colour, or in a gradient from the first colour below to the second above. */
	add(solid: Solid, hue: Hue | readonly [Hue, Hue], surface: SkinSurface = 'own'): this {
		let skin = this.#skins.get(surface);
		if (skin === undefined) {
			skin = { positions: [], colors: [], index: [], vertices: new Map() };
			this.#skins.set(surface, skin);
		}
		const [low = [], high = []] = (typeof hue === 'number' ? [hue, hue] : hue).map(linearColor);
		const heights = solid.flatMap((face) => face.map(([, y]) => y));
		const [minHeight, maxHeight] = [Math.min(...heights), Math.max(...heights)];
		// The brightness of the solids varies a little, as if painted by hand.
		const variation = surface === 'glow' ? 1 : 0.95 + 0.1 * ((this.#solidCount++ * 0.618034) % 1);
		for (const face of solid) {
			const corners = face.map((point) => {
				const share = maxHeight > minHeight ? (point[1] - minHeight) / (maxHeight - minHeight) : 1;
				const heightShare = Math.min(1, Math.max(0, point[1]) / FOOT_HEIGHT);
				const shade = surface === 'glow' ? 1 : FOOT_SHADE + (1 - FOOT_SHADE) * heightShare;
				const color = low.map((part, i) => (part + (high[i]! - part) * share) * variation * shade);
				return addVertex(skin, point, color);
			});
			for (let i = 1; i + 1 < corners.length; i++) skin.index.push(corners[0]!, corners[i]!, corners[i + 1]!);
		}
		return this;
	}

	/** Changes the colour of all parts except metal and glowing ones. Their differences in brightness stay. */
	recolor(hue: Hue): this {
		const linearHue = linearColor(hue);
		for (const [surface, { colors }] of this.#skins) {
			if (surface === 'glow' || surface === 'metal') continue;
			for (let offset = 0; offset < colors.length; offset += 4) {
				const light = 0.2126 * colors[offset]! + 0.7152 * colors[offset + 1]! + 0.0722 * colors[offset + 2]!;
				// A part of the old colour stays, so that parts can still be distinguished.
				for (let i = 0; i < 3; i++)
					colors[offset + i] = Math.min(
						255,
						Math.round(0.12 * colors[offset + i]! + 0.88 * linearHue[i]! * Math.min(255, light * 2.2 + 30)),
					);
			}
		}
		return this;
	}

	/** Gives a metal or glowing surface to all parts that neither shine nor glow. */
	changeSurface(surface: 'metal' | 'glow'): this {
		for (const plain of ['own', 'tint'] as const) {
			const skin = this.#skins.get(plain);
			if (skin === undefined) continue;
			this.#skins.delete(plain);
			const existing = this.#skins.get(surface);
			if (existing === undefined) this.#skins.set(surface, skin);
			else appendSkin(existing, skin);
		}
		return this;
	}

	/** Multiplies width, height and depth. */
	stretch(x: number, y: number, z: number): this {
		for (const { positions } of this.#skins.values())
			for (let i = 0; i < positions.length; i++)
				positions[i] = toMillimetre(positions[i]! * [x, y, z][i % 3]!);
		return this;
	}

	/** Returns the file. It has no normals. In glTF this means flat faces. */
	glb(): Uint8Array {
		const writer = new GlbWriter();
		const skins = [...this.#skins];
		const primitives = skins.map(([, { positions, colors, index }], material) => ({
			attributes: {
				POSITION: writer.addAccessor('VEC3', Float32Array.from(positions)),
				COLOR_0: writer.addAccessor('VEC4', Uint8Array.from(colors), true),
			},
			indices: writer.addAccessor('SCALAR', Uint16Array.from(index)),
			material,
		}));
		const animations = this.#movements.map(({ name, times, shifts, turns }) => {
			const input = writer.addAccessor('SCALAR', Float32Array.from(times));
			const outputs = {
				translation: writer.addAccessor('VEC3', Float32Array.from(shifts)),
				rotation: writer.addAccessor('VEC4', Float32Array.from(turns)),
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

/** Appends one skin to another. */
function appendSkin(to: Skin, from: Skin): void {
	const offset = to.positions.length / 3;
	to.positions.push(...from.positions);
	to.colors.push(...from.colors);
	to.index.push(...from.index.map((index) => index + offset));
}

const toMillimetre = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** Returns the index of the vertex at a position, rounded to millimetres, with a colour. Adds the vertex if it is new. */
function addVertex({ vertices, positions, colors }: Skin, point: Point, color: readonly number[]): number {
	const rounded = point.map(toMillimetre);
	const bytes = [...color.map((part) => Math.round(Math.min(1, part) * 255)), 255];
	const key = `${rounded} ${bytes}`;
	let index = vertices.get(key);
	if (index === undefined) {
		index = positions.push(...rounded) / 3 - 1;
		colors.push(...bytes);
		vertices.set(key, index);
	}
	return index;
}

/** Returns the linear red, green and blue of a colour, from 0 to 1. */
function linearColor(hue: Hue): number[] {
	return [16, 8, 0].map((shift) => {
		const part = ((hue >> shift) & 255) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
}
