/**
 * Writes whole files in a browser's private storage.
 * Owns: the guarantee that no reader sees half of it, because the file is replaced only when all bytes exist.
 */

/** Writes a file. If it rejects with the browser's error, the file is unchanged; a new file is empty. */
export async function writeWhole(
	handle: FileSystemFileHandle,
	pieces: Iterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
	const stream = await handle.createWritable();
	try {
		for (const piece of pieces) await stream.write(piece);
		await stream.close();
	} catch (error) {
		// A stream that failed to close has already ended.
		await stream.abort().catch(() => {});
		throw error;
	}
}
