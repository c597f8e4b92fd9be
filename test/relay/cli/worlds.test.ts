/** `orrery worlds`: the list on the command line. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../relay/cli/run-command-line.ts';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { WorldFolders } from '../../../relay/journal/world-folders.ts';
import { worldEntry } from '../../support/journal-suite.ts';
import { acquireJournal } from '../../support/owned-journal.ts';
import { createTestTerminal } from './test-terminal.ts';

let data: string;
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-worlds-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function orrery(...argv: string[]) {
	const { terminal, printed } = createTestTerminal({}, new Map(), new Map());
	return { code: await runCommandLine(argv, terminal), ...printed };
}

test('lists the worlds of a data folder, without a server', async () => {
	expect(await orrery('worlds', '--data', data)).toEqual({
		code: 0,
		out: `The folder ${data} contains no world.\n`,
		error: '',
	});
	const folder = await new WorldFolders(data).current();
	const journal = await acquireJournal(DatabaseJournal.open(folder));
	await journal.append(0, [worldEntry('Arena', 1672)]);
	await journal.close();
	const { code, out } = await orrery('worlds', '--data', data);
	expect(code).toBe(0);
	expect(out).toMatch(/^Arena {2}tick 1672, [\d.]+ KiB, written \S+Z, [0-9a-z]{16}, current\n$/);
	const listed = JSON.parse((await orrery('worlds', '--data', data, '--json')).out) as { worlds: object[] };
	expect(listed.worlds).toMatchObject([{ name: 'Arena', tick: 1672, current: true, id: basename(folder) }]);
	expect((await orrery('worlds', '--dta', data)).error).toContain('Did you mean --data?');
});
