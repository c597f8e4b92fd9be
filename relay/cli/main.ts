/** Entry point of the command line: runs the arguments and ends with the exit code. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { readLines } from './lines.ts';
import { runCommandLine } from './run-command-line.ts';

/** Aborted when the reader of standard output has closed it. */
const outputClosed = new AbortController();
// A write fails after `head` or an agent has closed the output. The command still runs to its end.
process.stdout.on('error', (error) => {
	if (codeOf(error) !== 'EPIPE') throw error;
	outputClosed.abort();
});
process.stderr.on('error', (error) => {
	if (codeOf(error) !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
	out: (text) => void process.stdout.write(text),
	error: (text) => void process.stderr.write(text),
	lines: () => readLines(process.stdin, outputClosed.signal),
	readFile: async (path) => (path === '-' ? readStandardInput() : readFile(path, 'utf8')),
	async writeFile(path, bytes) {
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
	},
	async writeSecret(path, text, mode) {
		await mkdir(dirname(path), { recursive: true });
		if (mode === 'replace') await replaceFile(path, text, 0o600);
		else await writeFile(path, text, { mode: 0o600, flag: 'wx' });
	},
	environment: process.env,
});

async function readStandardInput(): Promise<string> {
	let text = '';
	for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
	return text;
}
