/**
 * Agent that is a command. It is started once for each task.
 * Owns: its inputs (the address and the prompt), its answer, and its end.
 */

import { spawn } from 'node:child_process';
import { parseAnswer } from './answer.ts';

export interface AgentEnd {
	/** Last non-empty line of its standard output; undefined if there is none. */
	readonly answer: unknown;
	/** The reason that the task is failed without a check, or null. */
	readonly fault: string | null;
}

/** Runs a command. It gets the address in ORRERY_URL and in place of `{url}`, and the prompt on standard input. */
export function runAgent(command: string, url: string, prompt: string, seconds: number): Promise<AgentEnd> {
	return new Promise((resolve) => {
		const child = spawn(command.replaceAll('{url}', url), {
			shell: true,
			detached: process.platform !== 'win32',
			env: { ...process.env, ORRERY_URL: url, ORRERY_SERVER: url },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		let text = '';
		let isLate = false;
		const stop = (): void => {
			isLate = true;
			try {
				// This ends the shell and all processes that it has started.
				process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL');
			} catch {
				// It has already ended by itself.
			}
		};
		const timer = setTimeout(stop, seconds * 1000);
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
			// Only the last line counts, so earlier output is dropped.
			text = (text + chunk).slice(-1_000_000);
		});
		// An agent may end without reading its prompt.
		child.stdin.on('error', () => {});
		child.stdin.end(`${prompt}\n`);
		const end = (fault: string | null): void => {
			clearTimeout(timer);
			const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
			resolve({ answer: line === '' ? undefined : parseAnswer(line), fault });
		};
		child.on('error', (error) => end(`The agent could not be started: ${error.message}`));
		child.on('close', (code) => {
			if (isLate) end(`The agent did not end within ${seconds} s.`);
			else end(code === 0 ? null : `The agent ended with exit code ${code}.`);
		});
	});
}
