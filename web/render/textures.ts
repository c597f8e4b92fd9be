/**
 * Textures of the world's pictures.
 * Owns: making them. Never: knows which surfaces use them.
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
import { Held } from './held.ts';
import { PixelRoom, resized } from './pixel-room.ts';

/** Gets the bytes of an asset in the view; null if no asset has this hash. */
export type AssetBytes = (hash: string) => Promise<Uint8Array | null>;

/**
 * Returns the name of a picture's texture for numbers, such as normals. It is separate from the texture of its colours.
 */
export const dataOf = (hash: string): string => `${DATA}${hash}`;
const DATA = 'data ';

/** Samples that keep textures sharp at a slant. */
const ANISOTROPY = 8;

export class Textures extends Held<Texture> {
	/** `most`: longest side that this device supports (pixels). */
	constructor(bytes: AssetBytes, most: number, room = new PixelRoom()) {
		super(
			async (name, undecodable) => {
				const isData = name.startsWith(DATA);
				const hash = isData ? name.slice(DATA.length) : name;
				const content = await bytes(hash);
				if (content === null) return null;
				return room.inTurn(async () => {
					const whole = await decodePicture(hash, content, undecodable, {
						imageOrientation: 'flipY',
						premultiplyAlpha: 'none',
						colorSpaceConversion: 'none',
					});
					if (whole === null) return null;
					const size = room.take(whole, most);
					const texture = textureOf(await resized(whole, size), isData);
					texture.addEventListener('dispose', () => room.give(size));
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
