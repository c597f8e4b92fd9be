/**
 * Ids that the parts of a document give to its entities, in text or typed: rules, assertions, view filters, abilities
 * and spawn documents.
 * Owns: where in them such ids stand.
 */

const FILTER = /(^|\+)(\s*entity:)(\d+)/gi;
const VIEW_RULE = /^()((?:\s*not:)*\s*zone:)(\d+)/i;

/** Keys whose texts are filters, or rules of a view filter. */
const TEXTS: Readonly<Record<string, RegExp>> = {
	filter: FILTER,
	nearest: FILTER,
	all: FILTER,
	rules: VIEW_RULE,
};

/** Keys whose numbers are ids. */
const IDS = new Set(['entity', 'parent', 'target_entity']);
/** What is the caller's own and means nothing to the engine: what a signal carries, and names of stats. */
const NAMES = new Set(['data', 'base_stats', 'stat_growth', 'properties']);

/** A JSON value with the id of every entity in it replaced by what `idOf` says. */
export function withOwnIds<T>(value: T, idOf: (id: number) => number): T {
	return replaced(value, '', idOf) as T;
}

function replaced(value: unknown, key: string, idOf: (id: number) => number): unknown {
	if (typeof value === 'number') return IDS.has(key) ? idOf(value) : value;
	if (typeof value === 'string') {
		const place = Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined;
		if (place === undefined) return value;
		return value.replace(
			place,
			(_, before: string, word: string, id: string) => before + word + idOf(Number(id)),
		);
	}
	if (typeof value !== 'object' || value === null || NAMES.has(key)) return value;
	if (Array.isArray(value)) return value.map((part) => replaced(part, key, idOf));
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, name, idOf)]));
}

/** The same for what stands under names of the caller's, or in a list. */
export function eachWithOwnIds<T>(values: T, idOf: (id: number) => number): T {
	if (typeof values !== 'object' || values === null) return values;
	if (Array.isArray(values)) return values.map((value) => withOwnIds(value, idOf)) as T;
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, withOwnIds(value, idOf)]),
	) as T;
}
