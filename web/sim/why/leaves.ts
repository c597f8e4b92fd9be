/** Numbers, booleans and tags inside a document. Owns: finding each with its path, and replacing one. */

export type LeafValue = number | boolean | string;
export type LeafPath = readonly (string | number)[];

/** Ids, which are no amounts: another id is another entity. */
const IDS = new Set(['entity', 'entity_id', 'generation', 'from', 'to', 'parent', 'owner', 'zone', 'seed']);

/** Returns all numbers and booleans of a document, and the tags that it names, in order; ids are left out. */
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

/** Returns the document with another value at a path. */
export function withLeaf(value: unknown, [key, ...rest]: LeafPath, leaf: LeafValue): unknown {
	if (key === undefined) return leaf;
	if (Array.isArray(value)) return value.map((inner, i) => (i === key ? withLeaf(inner, rest, leaf) : inner));
	const fields = value as Readonly<Record<string, unknown>>;
	return { ...fields, [key]: withLeaf(fields[key], rest, leaf) };
}

/** Returns a path as texts have it: `when.of[1].value`. */
export const writePath = (path: LeafPath): string =>
	path.reduce<string>(
		(text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
		'',
	);
