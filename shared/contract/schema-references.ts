/** Putting a document's named schemas back in place of the references to them. Never: imports the schema library. */

type JsonSchema = { readonly [key: string]: unknown };

/** The value of `definitions` put in place of every reference to it. For readers that want each schema whole. */
export function withoutReferences(
	schema: JsonSchema,
	definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
	// What stands within itself is put in place once, and then told in words alone.
	const resolve = (part: unknown, within: readonly string[]): unknown => {
		if (Array.isArray(part)) return part.map((one) => resolve(one, within));
		if (typeof part !== 'object' || part === null) return part;
		const { $ref, ...rest } = part as JsonSchema;
		const others = Object.fromEntries(
			Object.entries(rest).map(([key, value]) => [key, resolve(value, within)]),
		);
		const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
		if (name === undefined) return others;
		if (within.includes(name)) return { description: `A ${name} again`, ...others };
		return { ...(resolve(definitions[name], [...within, name]) as object), ...others };
	};
	return resolve(schema, []) as JsonSchema;
}
