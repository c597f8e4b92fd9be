/** Fields of a body that were given. Owns: that null means left out. */

/** Returns the fields whose values are neither null nor undefined. */
export const givenFields = <T extends object>(values: T) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};
