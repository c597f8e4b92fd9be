/** Files of the page's own server. */

/** Returns a file; null if it does not exist. A server may answer with a page instead, which means the same. */
export async function readPublic(path: string): Promise<Uint8Array | null> {
	// The Worker's script is in a subfolder of the page's folder.
	const url = path.split('/').map(encodeURIComponent).join('/');
	const response = await fetch(new URL(`../${url}`, self.location.href));
	const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
	return response.ok && !isPage ? new Uint8Array(await response.arrayBuffer()) : null;
}
