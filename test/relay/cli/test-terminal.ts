/** A terminal in memory for tests. Its files are in maps, and it keeps the printed text. */

import type { Terminal } from '../../../relay/cli/terminal.ts';

/** Text printed so far. */
export interface PrintedText {
	out: string;
	error: string;
}

const fileError = (code: string) => Object.assign(new Error(`${code}: in memory`), { code });

/**
 * Returns a terminal that reads from `files` and writes to `written`. If both are the same map, written files can be
 * read.
 */
export function createTestTerminal(
	environment: Terminal['environment'],
	files: ReadonlyMap<string, string | Uint8Array>,
	written: Map<string, string | Uint8Array>,
): { readonly terminal: Terminal; readonly printed: PrintedText } {
	const printed: PrintedText = { out: '', error: '' };
	const terminal: Terminal = {
		out: (text) => {
			printed.out += text;
		},
		error: (text) => {
			printed.error += text;
		},
		async *lines() {
			yield* ((files.get('-') as string | undefined) ?? '').split('\n');
		},
		readFile: async (path) => {
			const text = files.get(path);
			if (text === undefined) throw fileError('ENOENT');
			return typeof text === 'string' ? text : new TextDecoder().decode(text);
		},
		writeFile: async (path, bytes) => void written.set(path, bytes),
		writeSecret: async (path, text, how) => {
			if (how === 'new' && written.has(path)) throw fileError('EEXIST');
			written.set(path, text);
		},
		environment,
	};
	return { terminal, printed };
}
