/** Putting a document's named schemas back in place of the references to them. Never: imports the schema library. */

type JsonSchema = { readonly [key: string]: unknown };

/** The value of `definitions` put in place of every reference to it. For readers that want each schema whole. */
export function withoutReferences(
	schema: JsonSchema,
	definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
	// Each is put in place once and shared; what stands within itself is told there in words alone.
	const done = new Map<string, object>();
	const named = (name: string): object => {
		const known = done.get(name);
		if (known !== undefined) return known;
		done.set(name, { description: `A ${name} again` });
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
