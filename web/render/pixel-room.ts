/**
 * Number of picture pixels that the view holds together. Pictures are small as files and large when decoded: some
 * dozens of the largest that are taken would fill the memory of the tab, and the worlds in it would be lost.
 * Owns: how large each picture may be, and that one thing is decoded after the other.
 */

import type { ImageSize } from '../../shared/documents/image-size.ts';

/** One gigabyte, at four bytes each. */
const MAX_PIXELS = 2 ** 28;

export class PixelRoom {
	#remaining: number;
	#last: Promise<unknown> = Promise.resolve();

	constructor(most = MAX_PIXELS) {
		this.#remaining = most;
	}

	/**
	 * Returns the size that a picture has here: its own, or a smaller one that takes half of what is left. `side`:
	 * its longest.
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

	/** A picture of a size that was taken is gone. */
	give({ width, height }: ImageSize): void {
		this.#remaining += width * height;
	}

	/** Does something once all that began before has ended. */
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = Promise.allSettled([done]);
		return done;
	}
}

/** Returns a picture in a size that it was given; the previous one is closed when it is another. */
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
