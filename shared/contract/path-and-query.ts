/** Addresses as callers write them: a path and its query. Owns: the end of the path, at the first `?`. */

/** Splits an address into path and query. */
export function pathAndQuery(sent: string): { readonly path: string; readonly query: string } {
	const at = sent.indexOf('?');
	return at < 0 ? { path: sent, query: '' } : { path: sent.slice(0, at), query: sent.slice(at + 1) };
}
