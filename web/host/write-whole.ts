/**
 * A file of a browser's private storage, written as a whole.
 * Owns: the guarantee that no reader sees half of it: the file is replaced when all of it exists.
 */

/** Rejects with what the browser says; the file is as it was then, empty if it was just made. */
export async function writeWhole(
	handle: FileSystemFileHandle,
	pieces: Iterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
	const stream = await handle.createWritable();
	try {
		for (const piece of pieces) await stream.write(piece);
		await stream.close();
	} catch (error) {
		// One that failed to close is over already.
		await stream.abort().catch(() => {});
		throw error;
	}
}
