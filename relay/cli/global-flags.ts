/** Flags that every command takes. Owns: their names, which no field of a body may have as its flag. */

/** Flags of every command. */
export interface Globals {
	server: string | undefined;
	world: string | undefined;
	/** Print the answer as it came, on one line. */
	json: boolean;
	/** JSON text, `@file` or `-`: the whole body. */
	body: string | undefined;
	dryRun: boolean;
	/** File for the answer; for a picture, the picture itself. */
	output: string | undefined;
	/** File for the verdicts of an answer, as JUnit has them. */
	junit: string | undefined;
	/** Key file to sign in with. */
	identity: string | undefined;
	help: boolean;
	version: boolean;
}

/** A global flag: whether a value follows it, and what it is for. */
export const GLOBAL_FLAGS: Readonly<
	Record<string, { readonly key: keyof Globals; readonly value?: string; readonly doc: string }>
> = {
	server: { key: 'server', value: 'URL', doc: 'Where the engine answers; also -s, or ORRERY_SERVER' },
	world: { key: 'world', value: 'FORK', doc: 'Speak to this fork instead of main' },
	json: {
		key: 'json',
		doc: 'Print the answer on one line as it came; with JSON after it, the same as --body',
	},
	body: { key: 'body', value: 'JSON', doc: 'The whole body as JSON, @FILE, or - for standard input' },
	'dry-run': { key: 'dryRun', doc: 'Print the body and send nothing' },
	output: { key: 'output', value: 'FILE', doc: 'Write the answer to a file; a picture as PNG; also -o' },
	junit: {
		key: 'junit',
		value: 'FILE',
		doc: 'Write the verdicts of assertions as a JUnit report, of a probe or an evaluation',
	},
	identity: { key: 'identity', value: 'FILE', doc: 'Key to sign in with; also ORRERY_IDENTITY' },
	help: { key: 'help', doc: 'Show help for the words before it; also -h' },
	version: { key: 'version', doc: 'Print the version' },
};
