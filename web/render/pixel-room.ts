/**
 * Limit of all decoded pixels in the view. Pictures are small as files but large when decoded. A few dozen of the largest would fill the
 * memory of the tab, and its worlds would be lost.
 * Owns: the permitted size of each picture, and decoding them one after the other.
 */

import type { ImageSize } from '../../shared/documents/image-size.ts';

/** Maximum number of pixels: one gigabyte at four bytes each. */
const MAX_PIXELS = 2 ** 28;

export class PixelRoom {
	#remaining: number;
	#last: Promise<unknown> = Promise.resolve();

	constructor(most = MAX_PIXELS) {
		this.#remaining = most;
	}

	/**
	 * Reserves room for a picture. Returns its own size, or a smaller one that uses half of the remaining room. `side`: maximum of its longer
	 * side.
	 */
	take({ width, height }: ImageSize, side = Number.POSITIVE_INFINITY): ImageSize {
		const shrink = Math.min(
			side / Math.max(width, height),
			Math.sqrt(Math.max(0, this.#remaining) / 2 / (width * height)),
		);
		const part = (of: number): number => (shrink >= 1 ? of : Math.max(1, Math.floor(of * shrink)));
		const taken = { width: part(width), height: part(height) };
		this.#remaining -= taken.width * taken.height;
		return taken;
	}

	/** Releases the room of a picture. */
	give({ width, height }: ImageSize): void {
		this.#remaining += width * height;
	}

	/** Runs work after all earlier work has ended. */
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = Promise.allSettled([done]);
		return done;
	}
}

/** Returns a picture in another size, and closes the original; returns the original if the size is the same. */
export async function resized(picture: ImageBitmap, { width, height }: ImageSize): Promise<ImageBitmap> {
	if (picture.width === width && picture.height === height) return picture;
	const small = await createImageBitmap(picture, {
		resizeWidth: width,
		resizeHeight: height,
		resizeQuality: 'high',
	});
	picture.close();
	return small;
}
