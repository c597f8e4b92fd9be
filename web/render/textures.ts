/**
 * Pictures of the world's assets as textures.
 * Owns: each of them once, from the first stage that uses it until the last no longer does. Never: knows what they lie on.
 */

import {
	LinearFilter,
	LinearMipmapLinearFilter,
	RepeatWrapping,
	SRGBColorSpace,
	Texture,
} from 'three/webgpu';

/** How the view comes by the bytes of an asset; null when there is none with this hash. */
export type AssetBytes = (hash: string) => Promise<Uint8Array | null>;

interface LoadedTexture {
	/** Null until it is decoded, and for good when it cannot be. */
	texture: Texture | null;
	readonly settled: Promise<void>;
	freed: boolean;
}

/** How sharp textures stay that are seen at a slant. */
const ANISOTROPY = 8;

export class Textures {
	readonly #bytes: AssetBytes;
	/** Longest side that this device takes (pixels). */
	readonly #most: number;
	readonly #held = new Map<string, LoadedTexture>();
	readonly #users = new Map<object, ReadonlySet<string>>();
	/** Called when one has come, or is known not to. */
	onSettled: () => void = () => {};

	constructor(bytes: AssetBytes, most: number) {
		this.#bytes = bytes;
		this.#most = most;
	}

	/** How many are on the device. */
	get count(): number {
		return [...this.#held.values()].filter(({ texture }) => texture !== null).length;
	}

	/** Says which textures a user needs from now on: loads those that are new and frees those that nobody needs. */
	use(user: object, hashes: ReadonlySet<string>): void {
		if (hashes.size === 0) this.#users.delete(user);
		else this.#users.set(user, hashes);
		for (const hash of hashes) if (!this.#held.has(hash)) this.#load(hash);
		for (const [hash, held] of this.#held) {
			if ([...this.#users.values()].some((used) => used.has(hash))) continue;
			held.freed = true;
			held.texture?.dispose();
			this.#held.delete(hash);
		}
	}

	/** A texture, or null while it has not come. */
	get(hash: string): Texture | null {
		return this.#held.get(hash)?.texture ?? null;
	}

	/** Settles when all that a user needs have come or are known not to. */
	async settled(user: object): Promise<void> {
		await Promise.all([...(this.#users.get(user) ?? [])].map((hash) => this.#held.get(hash)?.settled));
	}

	dispose(): void {
		this.#users.clear();
		this.use(this, new Set());
	}

	#load(hash: string): void {
		const held: LoadedTexture = {
			texture: null,
			freed: false,
			settled: this.#bytes(hash)
				.then((bytes) => (bytes === null ? null : decoded(bytes, this.#most)))
				.then((picture) => {
					if (held.freed) picture?.close();
					else if (picture !== null) held.texture = textureOf(picture);
				})
				.then(() => {
					if (!held.freed) this.onSettled();
				}),
		};
		this.#held.set(hash, held);
	}
}

/** The picture that the bytes are, no larger than the device takes; null for bytes that begin like one and are none. */
async function decoded(bytes: Uint8Array, most: number): Promise<ImageBitmap | null> {
	const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
	const options = {
		imageOrientation: 'flipY',
		premultiplyAlpha: 'none',
		colorSpaceConversion: 'none',
	} as const;
	const whole = await createImageBitmap(blob, options).catch(() => null);
	if (whole === null) return null;
	const shrink = most / Math.max(whole.width, whole.height);
	if (shrink >= 1) return whole;
	const small = await createImageBitmap(whole, {
		resizeWidth: Math.max(1, Math.floor(whole.width * shrink)),
		resizeHeight: Math.max(1, Math.floor(whole.height * shrink)),
		resizeQuality: 'high',
	});
	whole.close();
	return small;
}

function textureOf(picture: ImageBitmap): Texture {
	const texture = new Texture(picture);
	texture.colorSpace = SRGBColorSpace;
	texture.flipY = false;
	texture.wrapS = texture.wrapT = RepeatWrapping;
	texture.magFilter = LinearFilter;
	texture.minFilter = LinearMipmapLinearFilter;
	texture.generateMipmaps = true;
	texture.anisotropy = ANISOTROPY;
	texture.needsUpdate = true;
	texture.addEventListener('dispose', () => picture.close());
	return texture;
}
