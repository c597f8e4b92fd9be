/** Returns a path with its query, as callers write them together. Owns: where the one ends: at the first `?`. */

export function pathAndQuery(sent: string): { readonly path: string; readonly query: string } {
	const at = sent.indexOf('?');
	return at < 0 ? { path: sent, query: '' } : { path: sent.slice(0, at), query: sent.slice(at + 1) };
}
