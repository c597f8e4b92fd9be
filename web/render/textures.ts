/**
 * Pictures of the world's assets as textures.
 * Owns: making them. Never: knows what they lie on.
 */

import {
	LinearFilter,
	LinearMipmapLinearFilter,
	RepeatWrapping,
	SRGBColorSpace,
	Texture,
} from 'three/webgpu';
import { decodePicture } from './decode-picture.ts';
import { Held } from './held.ts';
import { PixelRoom, resized } from './pixel-room.ts';

/** Source of an asset's bytes in the view; null when there is none with this hash. */
export type AssetBytes = (hash: string) => Promise<Uint8Array | null>;

/** Sharpness of textures that are seen at a slant. */
const ANISOTROPY = 8;

export class Textures extends Held<Texture> {
	/** `most`: longest side that this device takes (pixels). */
	constructor(bytes: AssetBytes, most: number, room = new PixelRoom()) {
		super(
			async (hash, undecodable) => {
				const held = await bytes(hash);
				if (held === null) return null;
				return room.inTurn(async () => {
					const whole = await decodePicture(hash, held, undecodable, {
						imageOrientation: 'flipY',
						premultiplyAlpha: 'none',
						colorSpaceConversion: 'none',
					});
					if (whole === null) return null;
					const size = room.take(whole, most);
					const texture = textureOf(await resized(whole, size));
					texture.addEventListener('dispose', () => room.give(size));
					return texture;
				});
			},
			(texture) => texture.dispose(),
		);
	}
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
