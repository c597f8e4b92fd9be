/** A reason for a result. */

export interface Cause<C extends string = string> {
	readonly code: C;
	readonly text: string;
	/** An entity that it is about. */
	readonly entity_id?: number;
}
