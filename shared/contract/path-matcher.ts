/**
 * Matches addresses to declared paths, for the router, the service worker and the console.
 * Owns: the precedence. A fixed segment wins over a parameter for any method, as in OpenAPI. A parameter matches one
 * segment that is not empty.
 */

interface DeclaredPath {
	readonly method: string;
	/** Path with parameters in braces, such as `/entities/{id}`. */
	readonly path: string;
}

export interface PathMatch<T> {
	/** Declarations of the path, by method. */
	readonly byMethod: ReadonlyMap<string, T>;
	/** Values of the parameters in order, as sent. */
	readonly values: readonly string[];
}

interface PathNode<T> {
	readonly fixed: Map<string, PathNode<T>>;
	parameter: PathNode<T> | null;
	readonly byMethod: Map<string, T>;
}

const createNode = <T>(): PathNode<T> => ({ fixed: new Map(), parameter: null, byMethod: new Map() });

/** Splits a path into segments. A trailing slash gives an empty segment, which matches nothing. */
export function segmentsOf(path: string): string[] {
	return path === '/' ? [] : path.slice(1).split('/');
}

/** Creates a function that finds the declarations at a path. Throws if two have the same method and path. */
export function pathMatcher<T extends DeclaredPath>(
	declarations: readonly T[],
): (path: string) => PathMatch<T> | undefined {
	const root = createNode<T>();
	for (const entry of declarations) {
		let node = root;
		for (const segment of segmentsOf(entry.path)) {
			let next = segment.startsWith('{') ? node.parameter : node.fixed.get(segment);
			if (next == null) {
				next = createNode();
				if (segment.startsWith('{')) node.parameter = next;
				else node.fixed.set(segment, next);
			}
			node = next;
		}
		if (node.byMethod.has(entry.method))
			throw new Error(`two routes are declared for ${entry.method} ${entry.path}`);
		node.byMethod.set(entry.method, entry);
	}
	return (path) => find(root, segmentsOf(path), 0, []);
}

/** Finds the declarations at the end of a path. A fixed segment wins over a parameter. */
function find<T>(
	node: PathNode<T>,
	segments: readonly string[],
	index: number,
	values: readonly string[],
): PathMatch<T> | undefined {
	if (index === segments.length)
		return node.byMethod.size > 0 ? { byMethod: node.byMethod, values } : undefined;
	const segment = segments[index]!;
	const fixed = node.fixed.get(segment);
	const match = fixed && find(fixed, segments, index + 1, values);
	if (match !== undefined || node.parameter === null || segment === '') return match;
	return find(node.parameter, segments, index + 1, [...values, segment]);
}
