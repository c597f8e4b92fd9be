/** Words of anything that was thrown. */

/** Returns the message of an error, or what was thrown as a text. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
