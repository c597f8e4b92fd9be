/**
 * Textures of the world's pictures.
 * Owns: creating them. Never: depends on the surfaces that use them.
 */

import {
	LinearFilter,
	LinearMipmapLinearFilter,
	NoColorSpace,
	RepeatWrapping,
	SRGBColorSpace,
	Texture,
} from 'three/webgpu';
import { decodePicture } from './decode-picture.ts';
import { AssetCache } from './held.ts';
import { PixelBudget, resizePicture } from './pixel-room.ts';

/** Returns the bytes of an asset in the view; null if no asset has this hash. */
export type AssetBytes = (hash: string) => Promise<Uint8Array | null>;

/**
 * Returns the name of a picture's texture for numbers, such as normals. It is separate from the texture of
 * its colours.
 */
export const dataOf = (hash: string): string => `${DATA}${hash}`;
const DATA = 'data ';

/** Samples that keep textures sharp at a slant. */
const ANISOTROPY = 8;

export class Textures extends AssetCache<Texture> {
	/** `maxSide`: longest side that this device supports (pixels). */
	constructor(bytes: AssetBytes, maxSide: number, budget = new PixelBudget()) {
		super(
			async (name, onUndecodable) => {
				const isData = name.startsWith(DATA);
				const hash = isData ? name.slice(DATA.length) : name;
				const content = await bytes(hash);
				if (content === null) return null;
				return budget.runInOrder(async () => {
					const picture = await decodePicture(hash, content, onUndecodable, {
						imageOrientation: 'flipY',
						premultiplyAlpha: 'none',
						colorSpaceConversion: 'none',
					});
					if (picture === null) return null;
					const size = budget.reserve(picture, maxSide);
					const texture = textureOf(await resizePicture(picture, size), isData);
					texture.addEventListener('dispose', () => budget.release(size));
					return texture;
				});
			},
			(texture) => texture.dispose(),
		);
	}
}

function textureOf(picture: ImageBitmap, isData: boolean): Texture {
	const texture = new Texture(picture);
	texture.colorSpace = isData ? NoColorSpace : SRGBColorSpace;
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
