/**
 * The recorded journal of each game gives its recorded digests again, which equal those of the game's golden trace.
 * Owns: recording the journals. A game without a journal fails, and so does a journal without a game.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { decodeEntry } from '../../../shared/transport/journal-entry.ts';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { cutPiece, readPiece } from '../../../web/host/journal/piece.ts';
import { verifyJournal } from '../../../web/host/journal/verify.ts';
import { sha256 } from '../../../web/store/sha256.ts';
import { testEngine } from '../../support/engine.ts';
import { readAll } from '../../support/journal-suite.ts';
import { PUBLIC } from '../../support/public-files.ts';
import { GAME_TIMEOUT, openScene, sceneNames } from '../../support/scenes.ts';

const SEED = 1;
/** Minimum number of recorded ticks: a journal ends with the first line of the golden trace from this tick on. */
const MIN_TICKS = 900;
/** Number of ticks in one call. */
const TICKS = 60;

const ACCEPT = 'ORRERY_GOLDEN=write npx vitest run --project unit test/behaviour/journals';
const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const journalFile = (name: string) => resolvePath(`./${name}.orrery`);

/** Returns the digests of the golden trace by tick, up to the end of a journal. */
function goldenOf(name: string): Map<number, string> {
	const text = readFileSync(resolvePath(`../golden/${name}.golden.txt`), 'utf8');
	const lines = [...text.matchAll(/^ *(\d+) ([0-9a-f]{16})$/gm)];
	const end = lines.findIndex(([, tick]) => Number(tick) >= MIN_TICKS);
	return new Map(lines.slice(0, end + 1).map(([, tick, digest]) => [Number(tick), digest!]));
}

/**
 * Records the beginning of a game. From its middle on it continues in a fork, and another fork is played by hand.
 */
async function record(name: string): Promise<Uint8Array> {
	const last = [...goldenOf(name).keys()].at(-1)!;
	const calls = last / TICKS;
	const memory = new JournalMemory();
	const game = testEngine(await openScene(name, SEED, { journal: new MemoryJournal(memory) }));
	const key = { 'content-type': 'application/json', 'idempotency-key': 'first' };
	await game.call('POST', '/step', { ticks: TICKS }, key);
	await game.must('POST', '/fork', { fork_id: 'hand' });
	await game.must('POST', '/entities/0/components?world=hand', { player: true });
	let world = 'main';
	for (let i = 1; i < calls; i++) {
		if (i === Math.ceil(calls / 2)) {
			await game.must('POST', '/snapshot', { label: 'middle' });
			await game.must('POST', '/fork', { fork_id: 'next' });
			world = 'next';
			await game.post('/input/press?world=hand', { action: 'stop', entity_id: 0 });
			await game.must('POST', '/step?world=hand', { ticks: TICKS });
		}
		await game.must('POST', `/step?world=${world}`, { ticks: TICKS });
	}
	await game.must('POST', '/fork/next/promote', {});
	await game.must('DELETE', '/fork/hand');
	await game.engine.close();
	return cutPiece(new MemoryJournal(memory), 0, memory.next - 1, new Set((await publicBlobs()).keys()));
}

/** Returns the files of `public/` by their SHA-256. Journals refer to them by hash, and do not contain them. */
const publicBlobs = once(async () => {
	const blobs = new Map<string, Uint8Array>();
	for (const entry of readdirSync(PUBLIC, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const bytes = new Uint8Array(readFileSync(join(entry.parentPath, entry.name)));
		blobs.set(await sha256(bytes), bytes);
	}
	return blobs;
});

/** Returns a function that calls `make` only the first time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
	let cached: Promise<T> | undefined;
	return () => {
		cached ??= make();
		return cached;
	};
}

describe('recorded journals', () => {
	test.for(sceneNames())('%s', { timeout: GAME_TIMEOUT }, async (name) => {
		const file = journalFile(name);
		if (process.env.ORRERY_GOLDEN === 'write') writeFileSync(file, await record(name));
		expect(existsSync(file), `${name} has no journal. Record one: ${ACCEPT}`).toBe(true);
		const memory = await readPiece(new Uint8Array(readFileSync(file)));
		for (const [hash, bytes] of await publicBlobs()) memory.blobs.set(hash, bytes);
		const journal = new MemoryJournal(memory);

		const golden = goldenOf(name);
		const recorded = new Map<number, string>();
		for (const entry of await readAll(journal)) {
			const { head } = decodeEntry(entry);
			for (const { id, tick, digest } of head.worlds)
				if (id !== 'hand' && digest !== undefined && golden.has(tick)) recorded.set(tick, digest);
		}
		expect(
			recorded,
			`${name} plays differently than its recorded journal. Record it again: ${ACCEPT}`,
		).toEqual(golden);

		const { difference, worlds } = await verifyJournal(journal);
		expect(difference, `If that is what you want, record it again: ${ACCEPT}`).toBeNull();
		const [last] = [...golden].at(-1)!;
		expect(worlds).toEqual([{ world: 'main', tick: last, state_digest: golden.get(last) }]);
	});

	test('every journal belongs to a game', () => {
		const journals = readdirSync(resolvePath('.'))
			.filter((file) => file.endsWith('.orrery'))
			.map((file) => file.slice(0, -'.orrery'.length));
		expect(journals.sort()).toEqual(sceneNames());
	});
});
