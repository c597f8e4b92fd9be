/**
 * Bones of all instances of a model in a GPU texture.
 * Owns: one texture per model and kind of surface on a stage. Each instance has three texels per bone, then one texel per weight of a
 * morph target. Only visible instances are computed.
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

const WIDTH = 1024;
const TEXELS = BONE_FLOATS / 4;

let last = 0;

/** The instances at a moment between two frames, `ago` ticks before the newest. */
interface BoneMoment {
	/** Rows of the instances. */
	readonly order: Uint32Array;
	readonly ids: Uint32Array;
	readonly animations: ReadonlyMap<number, FrameAnimation>;
	readonly ago: number;
	readonly find: FindTracks;
}

export class BonePalette extends EventDispatcher<{ dispose: object }> {
	/** Unique key of this palette. */
	readonly key = `bones ${++last}`;
	readonly #poser: Poser;
	readonly #perInstance: number;
	/** Number of texels before the weights of an instance. */
	readonly #weights: number;
	#texture: DataTexture;
	/** Moment for which the bones are computed. */
	#moment: BoneMoment | null = null;
	/** One byte per instance: 1 if its bones are computed for the moment. */
	#isFilled = new Uint8Array(0);
	readonly #node: TextureNode<'vec4'>;

	constructor(rig: Rig) {
		super();
		this.#poser = new Poser(rig);
		this.#weights = rig.bones.length * TEXELS;
		this.#perInstance = this.#weights + (weightsOf(rig) * WEIGHT_FLOATS) / 4;
		this.#texture = makeTexture(this.#perInstance);
		this.#node = texture(this.#texture) as TextureNode<'vec4'>;
	}

	/** Begins another moment, for which no bones are computed yet. */
	begin(moment: BoneMoment): void {
		const count = moment.order.length;
		const texels = count * this.#perInstance;
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
		const { order, ids, animations, ago, find } = this.#moment;
		const data = this.#texture.image.data as Float32Array;
		const animation = animations.get(ids[order[index]!]!);
		this.#poser.write(data, index * this.#perInstance * 4, animation, ago, find);
		this.#texture.needsUpdate = true;
	}

	/** Returns a row of the matrix of a bone of the drawn instance. */
	row(bone: Node<'int'>, row: number): Node<'vec4'> {
		return this.#texel(bone.mul(TEXELS).add(row));
	}

	/** Returns a weight of a morph target of the drawn instance. */
	weight(at: Node<'int'>): Node<'float'> {
		return this.#texel(at.add(this.#weights)).x;
	}

	#texel(within: Node<'int'>): Node<'vec4'> {
		const texel = int(attribute<'uint'>('slot', 'uint')).mul(this.#perInstance).add(within);
		const at = ivec2(texel.mod(WIDTH), texel.div(WIDTH));
		return textureLoad(this.#node, at);
	}

	dispose(): void {
		this.#texture.dispose();
		this.dispatchEvent({ type: 'dispose' });
	}
}

function makeTexture(texels: number): DataTexture {
	const height = Math.max(1, Math.ceil(texels / WIDTH));
	const made = new DataTexture(new Float32Array(WIDTH * height * 4), WIDTH, height, RGBAFormat, FloatType);
	made.magFilter = made.minFilter = NearestFilter;
	made.generateMipmaps = false;
	made.needsUpdate = true;
	return made;
}
