/**
 * Match of an address to a declared path.
 * Owns: the match, for router, service worker and console alike: a fixed segment beats a parameter, whatever the method,
 * as OpenAPI has it, and a parameter stands for one segment that is not empty.
 */

interface Declared {
	readonly method: string;
	/** Such as `/entities/{id}`. */
	readonly path: string;
}

export interface PathMatch<T> {
	/** Declarations for that path, by method. */
	readonly byMethod: ReadonlyMap<string, T>;
	/** Value of each parameter, as sent. */
	readonly values: readonly string[];
}

interface Node<T> {
	readonly fixed: Map<string, Node<T>>;
	parameter: Node<T> | null;
	readonly byMethod: Map<string, T>;
}

const newNode = <T>(): Node<T> => ({ fixed: new Map(), parameter: null, byMethod: new Map() });

/** Splits a path into its segments; a trailing slash makes an empty one, so that it matches nothing. */
export function segmentsOf(path: string): string[] {
	return path === '/' ? [] : path.slice(1).split('/');
}

/** A function that finds what is declared at a path. Throws when one method is declared twice at the same. */
export function pathMatcher<T extends Declared>(
	declared: readonly T[],
): (path: string) => PathMatch<T> | undefined {
	const root = newNode<T>();
	for (const entry of declared) {
		let node = root;
		for (const segment of segmentsOf(entry.path)) {
			let next = segment.startsWith('{') ? node.parameter : node.fixed.get(segment);
			if (next == null) {
				next = newNode();
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

/** Finds the end of a path, the node with more fixed segments if there are several. */
function find<T>(
	node: Node<T>,
	rest: readonly string[],
	at: number,
	values: readonly string[],
): PathMatch<T> | undefined {
	if (at === rest.length) return node.byMethod.size > 0 ? { byMethod: node.byMethod, values } : undefined;
	const segment = rest[at]!;
	const fixed = node.fixed.get(segment);
	const found = fixed && find(fixed, rest, at + 1, values);
	if (found !== undefined || node.parameter === null || segment === '') return found;
	return find(node.parameter, rest, at + 1, [...values, segment]);
}
