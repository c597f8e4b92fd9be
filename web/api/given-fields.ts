/** Fields of a body that have a value. Owns: the rule that null means omitted. */

/** Returns the fields whose values are neither null nor undefined. */
export const givenFields = <T extends object>(values: T) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};
