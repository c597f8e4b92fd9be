/** Addresses in calls: a path and a query. Owns: the split at the first `?`. */

/** Splits an address into path and query. */
export function pathAndQuery(address: string): { readonly path: string; readonly query: string } {
	const separator = address.indexOf('?');
	if (separator < 0) return { path: address, query: '' };
	return { path: address.slice(0, separator), query: address.slice(separator + 1) };
}
