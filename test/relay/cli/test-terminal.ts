/** A terminal in memory: what is typed reads and writes files of a map, and what it prints is kept. */

import type { Terminal } from '../../../relay/cli/terminal.ts';

export interface Printed {
	out: string;
	error: string;
}

const fault = (code: string) => Object.assign(new Error(`${code}: in memory`), { code });

/** `files`: what can be read. `written`: what was written, which can be read too when it is the same map. */
export function testTerminal(
	environment: Terminal['environment'],
	files: ReadonlyMap<string, string | Uint8Array>,
	written: Map<string, string | Uint8Array>,
): { readonly terminal: Terminal; readonly printed: Printed } {
	const printed: Printed = { out: '', error: '' };
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
			if (text === undefined) throw fault('ENOENT');
			return typeof text === 'string' ? text : new TextDecoder().decode(text);
		},
		writeFile: async (path, bytes) => void written.set(path, bytes),
		writeSecret: async (path, text, how) => {
			if (how === 'new' && written.has(path)) throw fault('EEXIST');
			written.set(path, text);
		},
		environment,
	};
	return { terminal, printed };
}
