/** A list of so many numbers, as a type. */
export type Numbers<N extends number, List extends readonly number[] = readonly []> = List['length'] extends N
	? List
	: Numbers<N, readonly [...List, number]>;
