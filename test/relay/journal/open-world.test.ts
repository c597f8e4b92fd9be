/** A start chooses the world that it resumes, and says why if it cannot resume one. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cannotResumeText, openWorld, type WorldChoice } from '../../../relay/journal/open-world.ts';
import { WorldFolders } from '../../../relay/journal/world-folders.ts';
import { entryOf, worldEntry } from '../../support/journal-suite.ts';
import { acquireJournal } from '../../support/owned-journal.ts';

let data: string;
let lines: string[];
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-data-'));
	lines = [];
});
afterEach(() => rm(data, { recursive: true, force: true }));

const start = (choice: Partial<WorldChoice> = {}) =>
	openWorld({ data, fresh: false, world: undefined, maxBytes: 1e9, fsync: false, ...choice }, (sentence) =>
		lines.push(sentence),
	);

test('a start resumes the existing world, another begins a new one, and a third returns by name', async () => {
	const first = (await start())!;
	expect(first.resumedName).toBeUndefined();
	await (await acquireJournal(first.journal)).append(0, [worldEntry('Arena', 7)]);
	await first.journal.close();
	const openWorld = (await start())!;
	expect(openWorld.resumedName).toBe('Arena');
	expect((await openWorld.journal.extent()).next).toBe(1);
	await openWorld.journal.close();
	const other = (await start({ fresh: true }))!;
	expect((await other.journal.extent()).next).toBe(0);
	await other.journal.close();
	const back = (await start({ world: 'Arena' }))!;
	expect((await back.journal.extent()).next).toBe(1);
	await back.journal.close();
	await expect(start({ world: 'Market' })).rejects.toThrow('There is no world "Market"');
	expect(lines).toEqual([]);
});

test('two relays on one folder: the second names the owning process, and owns none', async () => {
	const first = (await start())!;
	expect(await start()).toBeUndefined();
	expect(lines).toEqual([
		expect.stringMatching(`The process ${process.pid} writes to .* This world is not stored.`),
	]);
	await (await acquireJournal(first.journal)).append(0, [entryOf('still written')]);
	await first.journal.close();
});

test('a world that cannot be written stops the start, and no empty one replaces it', async () => {
	const first = (await start())!;
	await (await acquireJournal(first.journal)).append(0, [entryOf('a')]);
	const { folder } = first.journal;
	await first.journal.close();
	// The start removes drafts. It cannot remove this one, which is a folder.
	const obstacle = join(folder, 'blobs', '.orrery-obstacle.part');
	await mkdir(obstacle);
	await expect(start()).rejects.toThrow(/could not be opened.*cannot be resumed/);
	expect(await (await start({ fresh: true }))!.journal.close()).toBeUndefined();
	await rm(obstacle, { recursive: true });
	const openWorld = (await start({ world: basename(folder) }))!;
	expect((await openWorld.journal.extent()).next).toBe(1);
	await openWorld.journal.close();
	expect(lines).toEqual([]);
});

test('damage stops the start without a change', async () => {
	const first = (await start())!;
	await (await acquireJournal(first.journal)).append(0, [entryOf('the first')]);
	await (await acquireJournal(first.journal)).keepState(1, [Uint8Array.of(1)], []);
	await first.journal.close();
	const path = join(first.journal.folder, 'journal.db');
	const bytes = await readFile(path);
	bytes.write('no database');
	await writeFile(path, bytes);
	await expect(start()).rejects.toThrow(/is damaged: file is not a database.*Start with --new to create/);
	expect(await readFile(path)).toEqual(bytes);
	const other = (await start({ fresh: true }))!;
	await other.journal.close();
	expect(await new WorldFolders(data).list()).toHaveLength(2);
	expect(lines).toEqual([]);
});

describe('output of a start', () => {
	/** Returns a world whose journal has an entry: its folder, and its database. */
	async function keptWorld(): Promise<{ readonly folder: string; readonly database: string }> {
		const { journal } = (await start({ fresh: true }))!;
		await (await acquireJournal(journal)).append(0, [worldEntry('Arena', 1)]);
		await journal.close();
		return { folder: journal.folder, database: join(journal.folder, 'journal.db') };
	}
	const current = (): string => join(data, '.orrery-worlds', 'current.json');

	const CASES: readonly [what: string, cause: () => Promise<Partial<WorldChoice>>, says: unknown][] = [
		[
			'of damage',
			async () => {
				const { database } = await keptWorld();
				await writeFile(database, 'something else that is long enough to be a header'.repeat(3));
				return {};
			},
			'The world cannot be resumed: "WORLD/journal.db" is damaged: file is not a database. Its files were not changed. Start with --new to create another world beside it.',
		],
		[
			'of a world of an older version',
			async () => {
				const { folder, database } = await keptWorld();
				await rm(database);
				await writeFile(join(folder, 'entries-0000000000000000.journal'), 'orrery journal');
				return {};
			},
			'The world cannot be resumed: The journal in "WORLD" was written by Orrery 1.1 or earlier, which this version cannot read. Start that version, save the world with /scene/save and GET /scenario, and load one of the files here, as the guide describes in "Upgrade". Its files were not changed. Start with --new to create another world beside it.',
		],
		[
			'of a current world that is not stored',
			async () => {
				await keptWorld();
				await writeFile(current(), '{"world":"0"}');
				return {};
			},
			'The world cannot be resumed: "DATA/.orrery-worlds/current.json" names no stored world. "orrery worlds" lists the stored worlds; choose one with --world NAME. Its files were not changed. Start with --new to create another world beside it.',
		],
		[
			'of an unreadable file that names the current world',
			async () => {
				await keptWorld();
				await rm(current());
				await mkdir(current());
				return {};
			},
			'The world cannot be resumed: "DATA/.orrery-worlds/current.json" is not a regular file. Its files were not changed. Start with --new to create another world beside it.',
		],
		[
			'of a refusal by the system',
			async () => {
				const { folder } = await keptWorld();
				await mkdir(join(folder, 'blobs', '.orrery-obstacle.part'));
				return {};
			},
			'The journal in "WORLD" could not be opened: Path is a directory: rm returned EISDIR (is a directory) WORLD/blobs/.orrery-obstacle.part. A stored world cannot be resumed until this is repaired. Choose another data folder with --data, or create another world with --new.',
		],
		[
			'of a name that no world has',
			async () => {
				await keptWorld();
				return { world: 'Market' };
			},
			'There is no world "Market" in "DATA/.orrery-worlds". "orrery worlds" lists the stored worlds.',
		],
		[
			'of a current world that cannot be changed',
			async () => {
				await keptWorld();
				await rm(current());
				await mkdir(join(current(), 'in-its-place'), { recursive: true });
				return { world: 'Arena' };
			},
			"The worlds of \"DATA\" cannot be used: EISDIR: illegal operation on a directory, rename 'DRAFT' -> 'DATA/.orrery-worlds/current.json'.",
		],
		[
			'of a data folder that is a file',
			async () => {
				await writeFile(join(data, 'file'), '');
				return { data: join(data, 'file') };
			},
			'The worlds of "DATA/file" cannot be used: ENOTDIR: not a directory, open \'DATA/file/.orrery-worlds/current.json\'. A stored world cannot be resumed until this is repaired. Choose another data folder with --data, or create another world with --new.',
		],
		[
			'of a new world that cannot be stored',
			async () => {
				await writeFile(join(data, 'file'), '');
				return { data: join(data, 'file'), fresh: true };
			},
			'The worlds of "DATA/file" cannot be used: EEXIST: file already exists, mkdir \'DATA/file\'. This world is not stored.',
		],
		[
			'of a missing file that names the current world',
			async () => {
				await keptWorld();
				await rm(current());
				return {};
			},
			'The world cannot be resumed: "DATA/.orrery-worlds/current.json" is missing. "orrery worlds" lists the stored worlds; choose one with --world NAME. Its files were not changed. Start with --new to create another world beside it.',
		],
		[
			'of a missing folder of the world',
			async () => {
				await rm((await keptWorld()).folder, { recursive: true });
				return {};
			},
			expect.stringMatching(
				/^The world cannot be resumed: The files of the world in "\S+" are missing\. Put them back, or choose/,
			),
		],
	];

	test.each(CASES)('%s', async (_, cause, says) => {
		const choice = await cause();
		const opened = await start(choice).catch((error: Error) => void lines.push(error.message));
		await opened?.journal.close();
		const [id = ''] = (await readdir(join(data, '.orrery-worlds')).catch(() => [])).filter((name) =>
			/^[0-9a-z]{16}$/.test(name),
		);
		const output = lines.map((sentence) =>
			sentence
				.replaceAll(join(data, '.orrery-worlds', id), id === '' ? '$&' : 'WORLD')
				.replaceAll(data, 'DATA')
				.replaceAll(/DATA\/\.orrery-worlds\/\.orrery-[\w-]+\.part/g, 'DRAFT'),
		);
		expect(output).toEqual([says]);
	});

	test('of a world that the engine cannot resume', () => {
		expect(cannotResumeText('The journal has entries, but not the state before them.')).toBe(
			'The world cannot be resumed: The journal has entries, but not the state before them. Its files were not changed. Start with --new to create another world beside it.',
		);
	});
});
