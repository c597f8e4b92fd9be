/** Reports of a fault of the server to callers, and to the operator. */

import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Faults } from '../../relay/faults.ts';
import { JournalError } from '../../shared/transport/journal.ts';

let base: string;
let time: number;
let reported: unknown[];
beforeEach(async () => {
	base = await mkdtemp(join(tmpdir(), "orrery-o'brien-"));
	time = 0;
	reported = [];
});
afterEach(() => rm(base, { recursive: true, force: true }));

const faultsOf = (folder: string): Faults =>
	new Faults(
		folder,
		(error) => reported.push(error),
		() => time,
	);

test('callers see paths below the data folder, and only the last name of other paths', async () => {
	const faults = faultsOf(base);
	const missing: unknown = await readFile(join(base, 'a/b.json')).catch((error: unknown) => error);
	expect(faults.describe(missing)).toBe("ENOENT: no such file or directory, open 'a/b.json'");
	expect(
		faults.describe(new Error(`"${base}/x" and "/else/where/y.json" are not "a/relative/z" of "${base}".`)),
	).toBe(`"x" and "y.json" are not "a/relative/z" of "${basename(base)}".`);
	expect(faults.describe(new Error("EXDEV: cross-device link, rename '/tmp/a' -> 'C:\\data\\b'"))).toBe(
		"EXDEV: cross-device link, rename 'a' -> 'b'",
	);
	const folder: unknown = await rm(base).catch((error: unknown) => error);
	expect(faults.describe(folder)).toContain(basename(base));
	expect(faults.describe(folder)).not.toContain(base);
	expect(faults.describe(new Error(`rm of ${base}/a b/c and /else/where/x.json.`))).toBe(
		'rm of a b/c and x.json.',
	);
	expect(faults.describe('1 / 2 is plain')).toBe('1 / 2 is plain');
});

test('callers see paths below a linked data folder', async () => {
	const link = `${base}-link`;
	await symlink(base, link, 'dir');
	try {
		expect(faultsOf(link).describe(new Error(`"${base}/a/b" is gone.`))).toBe('"a/b" is gone.');
	} finally {
		await rm(link);
	}
});

test('the operator sees whole paths, and a repeated fault once a minute', () => {
	const faults = faultsOf(base);
	const fault = (): Error => new Error(`"${base}/a" is gone.`);
	faults.describe(fault());
	faults.describe(fault());
	expect(reported).toEqual([fault()]);
	time += 60_000;
	faults.describe(fault());
	expect(reported).toHaveLength(2);
	// The operator sees no `JournalError`: callers already have its whole message.
	faults.describe(new JournalError('full', 'The disk is full.'));
	expect(reported).toHaveLength(2);
	faults.describe(new TypeError('x is not a function'));
	expect(reported).toHaveLength(3);
});
