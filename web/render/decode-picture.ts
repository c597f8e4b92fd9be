/** Pictures of assets as what can be drawn. Owns: that one which cannot be decoded is reported, and is null. */

/** Called with the hash of a picture that cannot be decoded here. */
export type Undecodable = (hash: string) => void;

/**
 * Decodes the bytes of an asset. When it was uploaded only its head was read, so it may be cut off or damaged: a
 * renderer then draws without it.
 */
export async function decodePicture(
	hash: string,
	bytes: Uint8Array,
	undecodable: Undecodable,
	options?: ImageBitmapOptions,
): Promise<ImageBitmap | null> {
	try {
		return await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), options);
	} catch (error) {
		console.warn(`The picture ${hash} cannot be decoded.`, error);
		undecodable(hash);
		return null;
	}
}
