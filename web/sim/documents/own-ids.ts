/**
 * Ids that rules, assertions and view filters of a document give to its entities, in text or typed.
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

/** A JSON value with the id of every entity in it replaced by what `idOf` says. */
export function withOwnIds<T>(value: T, idOf: (id: number) => number): T {
	return replaced(value, '', idOf) as T;
}

function replaced(value: unknown, key: string, idOf: (id: number) => number): unknown {
	if (typeof value === 'number') return key === 'entity' ? idOf(value) : value;
	if (typeof value === 'string') {
		const place = Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined;
		if (place === undefined) return value;
		return value.replace(
			place,
			(_, before: string, word: string, id: string) => before + word + idOf(Number(id)),
		);
	}
	// What a signal carries is the caller's own and means nothing to the engine.
	if (typeof value !== 'object' || value === null || key === 'data') return value;
	if (Array.isArray(value)) return value.map((part) => replaced(part, key, idOf));
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, name, idOf)]));
}
