/**
 * Flags that every command parses.
 * Owns: their names. An argument of a route with one of these names gets another flag, such as `--body-world`.
 */

/** Values of the global flags. */
export interface Globals {
	server: string | undefined;
	world: string | undefined;
	/** True to print the raw answer on one line. */
	json: boolean;
	/** JSON text, `@file` or `-`: the whole body. */
	body: string | undefined;
	dryRun: boolean;
	/** File to write the answer or picture to. */
	output: string | undefined;
	/** File for a JUnit report of the verdicts. */
	junit: string | undefined;
	/** Key file to sign in with. */
	identity: string | undefined;
	help: boolean;
	version: boolean;
}

/** Global flags by name. `value` is the placeholder of a value. A flag without one is boolean, except that `json` accepts JSON after it. */
export const GLOBAL_FLAGS: Readonly<
	Record<string, { readonly key: keyof Globals; readonly value?: string; readonly doc: string }>
> = {
	server: { key: 'server', value: 'URL', doc: 'Address of the engine; also -s or ORRERY_SERVER' },
	world: {
		key: 'world',
		value: 'NAME',
		doc: 'Use this fork or world instead of main; NAME/FORK is a fork of a world',
	},
	json: {
		key: 'json',
		doc: 'Print the raw answer on one line; with JSON after it, same as --body',
	},
	body: { key: 'body', value: 'JSON', doc: 'Whole body as JSON, @FILE, or - for standard input' },
	'dry-run': { key: 'dryRun', doc: 'Print the call and send nothing' },
	output: {
		key: 'output',
		value: 'FILE',
		doc: 'Write the answer to a file (a picture as PNG unless --format is given); also -o',
	},
	junit: {
		key: 'junit',
		value: 'FILE',
		doc: 'Write the verdicts of a probe or an evaluation as a JUnit report',
	},
	identity: { key: 'identity', value: 'FILE', doc: 'Key file for signing in; also ORRERY_IDENTITY' },
	help: { key: 'help', doc: 'Show help for the command before it; also -h' },
	version: { key: 'version', doc: 'Print the version' },
};
