/** Decoding of pictures. Owns: the report of pictures that cannot be decoded. */

/** Called with the hash of a picture that cannot be decoded here. */
export type UndecodableHandler = (hash: string) => void;

/**
 * Decodes the bytes of an asset; null if this fails. The upload checked only the head, so the picture may be cut off or damaged. It is
 * then not drawn.
 */
export async function decodePicture(
	hash: string,
	bytes: Uint8Array,
	onUndecodable: UndecodableHandler,
	options?: ImageBitmapOptions,
): Promise<ImageBitmap | null> {
	try {
		return await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), options);
	} catch (error) {
		console.warn(`The picture ${hash} cannot be decoded.`, error);
		onUndecodable(hash);
		return null;
	}
}
