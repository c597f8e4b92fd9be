/** Codes of the system's errors. */

/** Returns the system's code in an error, such as `ENOENT`; empty for any other error. */
export const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';
