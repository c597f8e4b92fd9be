/**
 * Limit of all decoded pixels in the view. Pictures are small as files but large when decoded. A few dozen
 * large pictures would fill the memory of the tab, and its worlds would be lost.
 * Owns: the permitted size of each picture, and the order of decoding.
 */

import type { ImageSize } from '../../shared/documents/image-size.ts';

/** Maximum number of pixels: one gigabyte at four bytes each. */
const MAX_PIXELS = 2 ** 28;

export class PixelBudget {
	#remaining: number;
	#last: Promise<unknown> = Promise.resolve();

	constructor(maxPixels = MAX_PIXELS) {
		this.#remaining = maxPixels;
	}

	/**
	 * Reserves pixels for a picture. Returns its own size, or a smaller size that uses half of the remaining
	 * pixels. `maxSide`: maximum length of its longer side (pixels).
	 */
	reserve({ width, height }: ImageSize, maxSide = Number.POSITIVE_INFINITY): ImageSize {
		const factor = Math.min(
			maxSide / Math.max(width, height),
			Math.sqrt(Math.max(0, this.#remaining) / 2 / (width * height)),
		);
		const scaled = (length: number): number =>
			factor >= 1 ? length : Math.max(1, Math.floor(length * factor));
		const size = { width: scaled(width), height: scaled(height) };
		this.#remaining -= size.width * size.height;
		return size;
	}

	/** Releases the pixels of a picture. */
	release({ width, height }: ImageSize): void {
		this.#remaining += width * height;
	}

	/** Runs work after all earlier work has ended. */
	runInOrder<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = Promise.allSettled([done]);
		return done;
	}
}

/** Returns a picture in another size, and closes the original. Returns the original if it has this size. */
export async function resizePicture(
	picture: ImageBitmap,
	{ width, height }: ImageSize,
): Promise<ImageBitmap> {
	if (picture.width === width && picture.height === height) return picture;
	const result = await createImageBitmap(picture, {
		resizeWidth: width,
		resizeHeight: height,
		resizeQuality: 'high',
	});
	picture.close();
	return result;
}
