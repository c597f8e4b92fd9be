/** The files of `public/`, for an engine in this process. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const PUBLIC = fileURLToPath(new URL('../../public/', import.meta.url));

/** Returns the bytes of a file; null if there is none. */
export async function readPublic(path: string): Promise<Uint8Array | null> {
	const file = `${PUBLIC}${path}`;
	return existsSync(file) ? new Uint8Array(await readFile(file)) : null;
}
