/** References of a document's schemas to its named ones: following, changing and replacing them. Never: imports the schema library. */

type JsonSchema = { readonly [key: string]: unknown };

/** Begin of the comment on a schema that is inside itself; a description beside a reference takes the place of its own. */
const AGAIN = 'again: ';

/**
 * Returns the value of `definitions` put in place of every reference to it. For readers that want each schema whole.
 */
export function withoutReferences(
	schema: JsonSchema,
	definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
	// Each is put in place once and shared; what contains itself is described there in words alone.
	const done = new Map<string, object>();
	const named = (name: string): object => {
		const cached = done.get(name);
		if (cached !== undefined) return cached;
		done.set(name, { description: `A ${name} again`, $comment: `${AGAIN}${name}` });
		const whole = resolve(definitions[name]) as object;
		done.set(name, whole);
		return whole;
	};
	const resolve = (part: unknown): unknown => {
		if (Array.isArray(part)) return part.map(resolve);
		if (typeof part !== 'object' || part === null) return part;
		const { $ref, ...rest } = part as JsonSchema;
		const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolve(value)]));
		const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
		return name === undefined ? others : { ...named(name), ...others };
	};
	return resolve(schema) as JsonSchema;
}

/**
 * Returns the definition whose place a schema of `withoutReferences` has, because it is inside itself; null for any
 * other schema.
 */
export const recursionOf = ({ $comment }: JsonSchema): string | null =>
	typeof $comment === 'string' && $comment.startsWith(AGAIN) ? $comment.slice(AGAIN.length) : null;

/** Returns a part of a document with each reference to a definition replaced by what `refer` makes of its name. */
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

/** Returns the names of the definitions that a part of a document refers to, in the order in which they are met. */
export function definitionsReferredTo(part: unknown): string[] {
	const names = new Set<string>();
	withOtherReferences(part, (name) => {
		names.add(name);
		return name;
	});
	return [...names];
}
