/**
 * An agent as a command: started once for each task.
 * Owns: its inputs (the address, the prompt), its answer, and its end.
 */

import { spawn } from 'node:child_process';
import { answerIn } from './answer.ts';

export interface AgentEnd {
	/** Last line of its standard output that is not empty; undefined without one. */
	readonly answer: unknown;
	/** The reason why it does not count, or null. */
	readonly fault: string | null;
}

/** Starts a command with the address in ORRERY_URL and in place of `{url}`, and the prompt on standard input. */
export function runAgent(command: string, url: string, prompt: string, seconds: number): Promise<AgentEnd> {
	return new Promise((resolve) => {
		const child = spawn(command.replaceAll('{url}', url), {
			shell: true,
			detached: process.platform !== 'win32',
			env: { ...process.env, ORRERY_URL: url, ORRERY_SERVER: url },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		let text = '';
		let late = false;
		const stop = (): void => {
			late = true;
			try {
				// The shell and everything that it started.
				process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, 'SIGKILL');
			} catch {
				// It ended by itself.
			}
		};
		const timer = setTimeout(stop, seconds * 1000);
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
			// Only the end counts, however much it prints.
			text = (text + chunk).slice(-1_000_000);
		});
		// An agent may end without reading its prompt.
		child.stdin.on('error', () => {});
		child.stdin.end(`${prompt}\n`);
		const end = (fault: string | null): void => {
			clearTimeout(timer);
			const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
			resolve({ answer: line === '' ? undefined : answerIn(line), fault });
		};
		child.on('error', (error) => end(`The agent could not be started: ${error.message}`));
		child.on('close', (code) => {
			if (late) end(`The agent did not end within ${seconds} s.`);
			else end(code === 0 ? null : `The agent ended with exit code ${code}.`);
		});
	});
}
