/** A writer that is killed at any moment loses and doubles no stored entry. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { readAll } from '../../support/journal-suite.ts';

const KILLS = 12;

test('a writer killed again and again loses no acknowledged entry', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-killed-'));
	try {
		let lastStored = -1;
		for (let kill = 1; kill <= KILLS; kill++) {
			const writer = spawn(process.execPath, [join(import.meta.dirname, 'journal-writer.ts'), folder], {
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			const ended = once(writer, 'exit');
			let output = '';
			let lines = 0;
			for await (const text of writer.stdout.setEncoding('utf8') as AsyncIterable<string>) {
				output += text;
				lines += text.split('\n').length - 1;
				// Each kill comes at another moment of the work.
				if (lines > kill * 37) writer.kill('SIGKILL');
			}
			await ended;
			expect(writer.signalCode).toBe('SIGKILL');
			const acknowledged = output.split('\n').slice(0, -1).map(Number);
			lastStored = Math.max(lastStored, ...acknowledged);
			const journal = await DatabaseJournal.open(folder);
			const texts = (await readAll(journal)).map(({ bytes }) => new TextDecoder().decode(bytes));
			expect(texts.length).toBeGreaterThan(lastStored);
			expect(texts).toEqual(texts.map((_, at) => `entry ${at}`));
			const { states } = await journal.extent();
			for (const at of states) {
				const state = await journal.state(at);
				expect(new TextDecoder().decode(state!.bytes)).toBe(`state ${at}`);
			}
			await journal.close();
			expect((await readdir(folder)).filter((name) => /\.part$|^lock-|^new-/.test(name))).toEqual([]);
		}
		expect(lastStored).toBeGreaterThan(KILLS * 37);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
