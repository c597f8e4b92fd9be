/** Type of a list with N numbers. */
export type NumberList<
	N extends number,
	List extends readonly number[] = readonly [],
> = List['length'] extends N ? List : NumberList<N, readonly [...List, number]>;
