/**
 * Whether a request is a call to the engine, told by method and path alone.
 * Owns: the match against the list of routes. Never: knows more of a route than that.
 */

interface ApiPath {
	readonly method: string;
	readonly path: string;
}

/** Makes the test. A `{name}` in a route's path stands for one non-empty segment. */
export function apiMatcher(paths: readonly ApiPath[]): (method: string, path: string) => boolean {
	const exact = new Set<string>();
	const patterns: { readonly method: string; readonly segments: readonly string[] }[] = [];
	for (const { method, path } of paths) {
		if (path.includes('{')) patterns.push({ method, segments: path.split('/') });
		else exact.add(`${method} ${path}`);
	}
	return (method, path) => {
		if (exact.has(`${method} ${path}`)) return true;
		const segments = path.split('/');
		return patterns.some((pattern) => pattern.method === method && fits(pattern.segments, segments));
	};
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
	return (
		pattern.length === segments.length &&
		pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
	);
}
