/**
 * Bones of all instances of a model in a GPU texture.
 * Owns: one texture per model and kind of surface on a stage. Each instance has three texels per bone, then
 * one texel per weight of a morph target. Only visible instances are computed.
 */

import { attribute, int, ivec2, texture, textureLoad } from 'three/tsl';
import {
	DataTexture,
	EventDispatcher,
	FloatType,
	NearestFilter,
	type Node,
	RGBAFormat,
	type TextureNode,
} from 'three/webgpu';
import type { FrameAnimation } from '../frames/frames.ts';
import { BONE_FLOATS, type FindTracks, Poser, type Rig, WEIGHT_FLOATS, weightsOf } from './pose.ts';

/** Width of the texture (texels). */
const TEXTURE_WIDTH = 1024;
/** Texels of a bone. */
const TEXELS = BONE_FLOATS / 4;

/** Number of palettes created so far, for their keys. */
let paletteCount = 0;

/** Instances at a moment between two frames. */
interface BoneMoment {
	/** Rows of the instances. */
	readonly rows: Uint32Array;
	readonly ids: Uint32Array;
	readonly animations: ReadonlyMap<number, FrameAnimation>;
	/** Time from the moment to the newest frame (ticks). */
	readonly ago: number;
	readonly findTracks: FindTracks;
}

export class BonePalette extends EventDispatcher<{ dispose: object }> {
	/** Unique key of this palette. */
	readonly key = `bones ${++paletteCount}`;
	readonly #poser: Poser;
	readonly #texelsPerInstance: number;
	/** Number of texels before the weights of an instance. */
	readonly #weightsOffset: number;
	#texture: DataTexture;
	/** Moment for which the bones are computed. */
	#moment: BoneMoment | null = null;
	/** One byte per instance: 1 if its bones are computed for the moment. */
	#isFilled = new Uint8Array(0);
	readonly #node: TextureNode<'vec4'>;

	constructor(rig: Rig) {
		super();
		this.#poser = new Poser(rig);
		this.#weightsOffset = rig.bones.length * TEXELS;
		this.#texelsPerInstance = this.#weightsOffset + (weightsOf(rig) * WEIGHT_FLOATS) / 4;
		this.#texture = makeTexture(this.#texelsPerInstance);
		this.#node = texture(this.#texture) as TextureNode<'vec4'>;
	}

	/** Begins another moment, for which no bones are computed yet. */
	beginMoment(moment: BoneMoment): void {
		const count = moment.rows.length;
		const texels = count * this.#texelsPerInstance;
		if (texels * 4 > (this.#texture.image.data as Float32Array).length) {
			this.#texture.dispose();
			this.#texture = makeTexture(2 ** Math.ceil(Math.log2(texels)));
			this.#node.value = this.#texture;
		}
		if (this.#isFilled.length < count) this.#isFilled = new Uint8Array(count);
		else this.#isFilled.fill(0);
		this.#moment = moment;
	}

	/** Computes the bones of an instance, unless they are already computed. */
	fill(index: number): void {
		if (this.#moment === null || this.#isFilled[index] !== 0) return;
		this.#isFilled[index] = 1;
		const { rows, ids, animations, ago, findTracks } = this.#moment;
		const data = this.#texture.image.data as Float32Array;
		const animation = animations.get(ids[rows[index]!]!);
		this.#poser.write(data, index * this.#texelsPerInstance * 4, animation, ago, findTracks);
		this.#texture.needsUpdate = true;
	}

	/** Returns a row of the matrix of a bone of the drawn instance. */
	row(bone: Node<'int'>, row: number): Node<'vec4'> {
		return this.#texel(bone.mul(TEXELS).add(row));
	}

	/** Returns a weight of a morph target of the drawn instance. */
	weight(index: Node<'int'>): Node<'float'> {
		return this.#texel(index.add(this.#weightsOffset)).x;
	}

	#texel(offset: Node<'int'>): Node<'vec4'> {
		const texel = int(attribute<'uint'>('slot', 'uint')).mul(this.#texelsPerInstance).add(offset);
		const coordinates = ivec2(texel.mod(TEXTURE_WIDTH), texel.div(TEXTURE_WIDTH));
		return textureLoad(this.#node, coordinates);
	}

	dispose(): void {
		this.#texture.dispose();
		this.dispatchEvent({ type: 'dispose' });
	}
}

function makeTexture(texels: number): DataTexture {
	const height = Math.max(1, Math.ceil(texels / TEXTURE_WIDTH));
	const dataTexture = new DataTexture(
		new Float32Array(TEXTURE_WIDTH * height * 4),
		TEXTURE_WIDTH,
		height,
		RGBAFormat,
		FloatType,
	);
	dataTexture.magFilter = dataTexture.minFilter = NearestFilter;
	dataTexture.generateMipmaps = false;
	dataTexture.needsUpdate = true;
	return dataTexture;
}
