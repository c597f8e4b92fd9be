/** `orrery replay` and `orrery record` read the journal of a data folder while a server writes to it. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../relay/cli/run-command-line.ts';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { WorldFolders } from '../../../relay/journal/world-folders.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { createTestTerminal } from '../cli/test-terminal.ts';

let data: string;
let folder: string;
let engine: TestEngine;

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-replay-'));
	folder = await new WorldFolders(data).current();
	const journal = await DatabaseJournal.open(folder);
	engine = await startEngine({ journal, stateEvery: { entries: 4 }, now: () => 0 });
	for (let i = 0; i < 6; i++) {
		await engine.spawn({ gold: 10 + i, position: [i, 1, 0] });
		await engine.step(2);
		await engine.engine.rest();
	}
	// Calls that end other calls are not in the journal, not even with a key, because a replay has no running calls.
	const headerSets: readonly Record<string, string>[] = [{}, { 'idempotency-key': 'twice' }];
	for (const headers of headerSets)
		expect((await engine.call('DELETE', '/calls/1', undefined, headers)).status).toBe(200);
	// A state is written while the engine continues.
	await expect.poll(async () => (await journal.state(8))?.at).toBe(8);
});
afterEach(async () => {
	await engine.engine.close();
	await rm(data, { recursive: true, force: true });
});

async function orrery(...argv: string[]) {
	const files = new Map<string, string | Uint8Array>();
	const { terminal, printed } = createTestTerminal({}, new Map(), files);
	return { code: await runCommandLine(argv, terminal), ...printed, files };
}

test('the world of a data folder is rebuilt while a server writes to it, and nothing in it changes', async () => {
	const files = await readdir(folder);
	const digest = await engine.digest();
	const { code, out } = await orrery('replay', data);
	expect(out).toBe(
		`Re-ran 12 entries, starting with entry 0: every result matches the journal.\nmain  tick 12  ${digest}\n`,
	);
	expect(code).toBe(0);
	const verified = JSON.parse((await orrery('replay', folder, '--verify', '--json')).out) as object;
	expect(verified).toMatchObject({ ok: true, entries: 12, states: 3, difference: null });
	expect(JSON.parse((await orrery('replay', data, '--to', '3', '--json')).out)).toMatchObject({
		entries: 4,
		worlds: [{ world: 'main', tick: 4 }],
	});
	expect(await readdir(folder)).toEqual(files);
	expect((await engine.step()).ok).toBe(true);
});

test('a piece is a small file with the state before one entry, and the entries up to another', async () => {
	const { code, out, files } = await orrery(
		'record',
		data,
		'--from',
		'5',
		'--to',
		'9',
		'--output',
		'bug.orrery',
	);
	expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, from: 4, to: 9 }]);
	const piece = join(data, 'bug.orrery');
	await writeFile(piece, files.get('bug.orrery')!);
	const output = await orrery('replay', piece, '--verify');
	expect(output.out).toContain('Re-ran 6 entries, starting with entry 4: every result matches the journal.');
	expect(output.out).toContain('main  tick 10  ');
	const latest = await orrery('record', data, '-o', 'x');
	expect(JSON.parse(latest.out)).toMatchObject({ from: 8, to: 11 });
});

test('a different result is named by entry, world, entity and field, and the command fails', async () => {
	const { files } = await orrery('record', data, '--from', '0', '--to', '11', '-o', 'x');
	const { readPiece, cutPiece } = await import('../../../web/host/journal/piece.ts');
	const { MemoryJournal } = await import('../../../shared/transport/memory-journal.ts');
	const memory = await readPiece(files.get('x') as Uint8Array);
	const { bytes, blobs } = memory.entries[4]!;
	const text = new TextDecoder('latin1').decode(bytes).replace('"gold":12', '"gold":99');
	memory.entries[4] = { bytes: Uint8Array.from(text, (char) => char.charCodeAt(0)), blobs };
	const changedPiece = join(data, 'changed.orrery');
	await writeFile(changedPiece, await cutPiece(new MemoryJournal(memory), 0, 11));
	const { code, out } = await orrery('replay', changedPiece, '--verify');
	expect(code).toBe(1);
	expect(out).toContain('Replaying entry 5 of the journal (POST /step) gave a different result');
	expect(out).toContain('before entry 8');
	expect(out).toContain('  entity 2  gold.amount  12 -> 99\n');
	expect(out).toContain(
		'Systems that write these values in a tick (calls may write them too):\n  gold.amount  pay-gold\n',
	);
	expect(out).toContain('The 2 ticks give equal results on a fork and on the saved and loaded world');
});

test('an unreadable journal gets a clear error', async () => {
	expect(await orrery('replay', join(data, 'none'))).toMatchObject({
		code: 1,
		error: `orrery: There is no file or folder "${join(data, 'none')}".\n`,
	});
	const empty = await mkdtemp(join(tmpdir(), 'orrery-replay-'));
	expect((await orrery('replay', empty)).error).toContain(`"${empty}" contains no world`);
	await rm(empty, { recursive: true });
	await writeFile(join(data, 'x.json'), '{}');
	expect((await orrery('replay', join(data, 'x.json'))).error).toContain('not a piece of a journal');
	expect((await orrery('replay', data, '--to', 'x')).code).toBe(2);
	expect((await orrery('record', data)).error).toContain('--output FILE');
	expect((await orrery('record', data, '-o', 'x', '--to', '99')).error).toContain('from 8 to 11, got');
	expect((await orrery('record', data, '-o', 'x', '--from', '99')).error).toContain('The last entry is 11');
	expect((await orrery('record', data, '-o', 'x', '--from', '5', '--to', '3')).error).toContain(
		'the piece would be empty',
	);
	await engine.engine.close();
	const path = join(folder, 'journal.db');
	const text = await readFile(path, 'latin1');
	expect(text).toContain('"gold":15');
	await writeFile(path, text.replaceAll('"gold":15', '"gold":16'), 'latin1');
	expect((await orrery('record', data, '-o', 'x', '--from', '0')).error).toMatch(
		new RegExp(`${basename(folder)}.*damaged at entry 10`),
	);
});
