/** Text of a thrown value. */

/** Returns the message of an error, or any other thrown value as a text. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
