/** Returns the system's code in an error, such as `ENOENT`; empty for any other error. Owns: nothing. */
export const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';
