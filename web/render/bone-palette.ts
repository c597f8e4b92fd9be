/**
 * The bones of all instances of a model, as the device reads them.
 * Owns: one texture for each model and kind of surface on a stage: three texels a bone, bone after bone, then one
 * for each weight of a morph target, instance after instance. Only those that are seen are worked out.
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

/** A moment between two frames, `ago` ticks before the newest. */
interface BoneMoment {
	/** Rows of the instances. */
	readonly order: Uint32Array;
	readonly ids: Uint32Array;
	readonly animations: ReadonlyMap<number, FrameAnimation>;
	readonly ago: number;
	readonly find: FindTracks;
}

export class BonePalette extends EventDispatcher<{ dispose: object }> {
	/** Of this palette alone. */
	readonly key = `bones ${++last}`;
	readonly #poser: Poser;
	readonly #perInstance: number;
	/** Texels of an instance before its weights. */
	readonly #weights: number;
	#texture: DataTexture;
	/** Moment that the bones are worked out for. */
	#moment: BoneMoment | null = null;
	/** Instances whose bones are those of the moment. */
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

	/** Moves to another moment: no bones are worked out yet. */
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

	/** Works out the bones of an instance, unless they are. */
	fill(index: number): void {
		if (this.#moment === null || this.#isFilled[index] !== 0) return;
		this.#isFilled[index] = 1;
		const { order, ids, animations, ago, find } = this.#moment;
		const data = this.#texture.image.data as Float32Array;
		const animation = animations.get(ids[order[index]!]!);
		this.#poser.write(data, index * this.#perInstance * 4, animation, ago, find);
		this.#texture.needsUpdate = true;
	}

	/** Returns a row of the matrix of a bone of the instance that is drawn. */
	row(bone: Node<'int'>, row: number): Node<'vec4'> {
		return this.#texel(bone.mul(TEXELS).add(row));
	}

	/** One of the weights of the instance that is drawn. */
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
