/**
 * References between the schemas of a document.
 * Owns: following, changing and replacing references. Never: imports the schema library.
 */

type JsonSchema = { readonly [key: string]: unknown };

/** Start of the comment in a schema that replaces a recursive definition inside itself. */
const RECURSION_PREFIX = 'again: ';

/**
 * Returns a schema in which every reference is replaced by its definition, for readers that need complete schemas.
 */
export function withoutReferences(
	schema: JsonSchema,
	definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
	// Each definition is resolved once and shared. Inside itself it is replaced by a description.
	const resolved = new Map<string, object>();
	const definition = (name: string): object => {
		const cached = resolved.get(name);
		if (cached !== undefined) return cached;
		resolved.set(name, { description: `A ${name} again`, $comment: `${RECURSION_PREFIX}${name}` });
		const complete = resolve(definitions[name]) as object;
		resolved.set(name, complete);
		return complete;
	};
	const resolve = (part: unknown): unknown => {
		if (Array.isArray(part)) return part.map(resolve);
		if (typeof part !== 'object' || part === null) return part;
		const { $ref, ...rest } = part as JsonSchema;
		const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolve(value)]));
		const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
		return name === undefined ? others : { ...definition(name), ...others };
	};
	return resolve(schema) as JsonSchema;
}

/**
 * Returns the name of the recursive definition that a schema of `withoutReferences` replaces. Returns null for any other
 * schema.
 */
export const recursionOf = ({ $comment }: JsonSchema): string | null =>
	typeof $comment === 'string' && $comment.startsWith(RECURSION_PREFIX)
		? $comment.slice(RECURSION_PREFIX.length)
		: null;

/** Returns a part of a document in which each reference is replaced by the result of `refer` for its name. */
export function withOtherReferences<T>(part: T, refer: (name: string) => string): T {
	const change = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(change);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, member]) =>
				key === '$ref' && typeof member === 'string'
					? [key, refer(member.slice(member.lastIndexOf('/') + 1))]
					: [key, change(member)],
			),
		);
	};
	return change(part) as T;
}

/** Returns the names of the definitions to which a part of a document refers, in order. */
export function definitionsReferredTo(part: unknown): string[] {
	const names = new Set<string>();
	withOtherReferences(part, (name) => {
		names.add(name);
		return name;
	});
	return [...names];
}
