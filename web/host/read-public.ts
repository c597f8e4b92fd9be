/** Files of the page's own server. Owns: nothing. */

/** Returns a file; null if there is none. A page in its place means that it is missing. */
export async function readPublic(path: string): Promise<Uint8Array | null> {
	// A Worker's script is in a folder of the page's.
	const url = path.split('/').map(encodeURIComponent).join('/');
	const response = await fetch(new URL(`../${url}`, self.location.href));
	const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
	return response.ok && !isPage ? new Uint8Array(await response.arrayBuffer()) : null;
}
