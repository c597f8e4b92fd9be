/** A reason for a result. */

export interface Cause<C extends string = string> {
	readonly code: C;
	readonly text: string;
	/** Entity that the reason refers to. */
	readonly entity_id?: number;
}
