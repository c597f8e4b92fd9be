/** Leaves of a document: numbers, booleans and tags. Owns: finding leaves with their paths, and replacing a leaf. */

export type LeafValue = number | boolean | string;
export type LeafPath = readonly (string | number)[];

/** Keys of ids. Ids are not leaves, because a changed id refers to another entity. */
const IDS = new Set(['entity', 'entity_id', 'generation', 'from', 'to', 'parent', 'owner', 'zone', 'seed']);

/** Returns all numbers, booleans and tags of a document in order. Excludes ids. */
export function leavesOf(
	value: unknown,
	path: LeafPath = [],
): { readonly path: LeafPath; readonly value: LeafValue }[] {
	const isTag = typeof value === 'string' && path.at(-1) === 'tag';
	if (typeof value === 'number' || typeof value === 'boolean' || isTag)
		return IDS.has(String(path.at(-1))) ? [] : [{ path, value }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
}

/** Returns a copy of a document with another value at a path. */
export function withLeaf(value: unknown, [key, ...rest]: LeafPath, leaf: LeafValue): unknown {
	if (key === undefined) return leaf;
	if (Array.isArray(value)) return value.map((inner, i) => (i === key ? withLeaf(inner, rest, leaf) : inner));
	const fields = value as Readonly<Record<string, unknown>>;
	return { ...fields, [key]: withLeaf(fields[key], rest, leaf) };
}

/** Returns a path as text, such as `when.of[1].value`. */
export const writePath = (path: LeafPath): string =>
	path.reduce<string>(
		(text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
		'',
	);
