/** One process at a time writes into a folder, however many begin at once and however those before them ended. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../../relay/journal/folder-lock.ts';
import { JournalError } from '../../../shared/contract/journal.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-lock-'));
});
afterEach(async () => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	await rm(folder, { recursive: true, force: true });
});

/** Another process that takes the lock and holds it; what came of that. */
async function other(): Promise<{ readonly child: ChildProcess; readonly said: string }> {
	const child = fork(join(import.meta.dirname, 'lock-holder.ts'), [folder], { execArgv: [] });
	children.push(child);
	const [said] = (await once(child, 'message')) as [string];
	return { child, said };
}

async function refusal(): Promise<string> {
	const error = await lockFolder(folder).then(
		() => undefined,
		(error: unknown) => error,
	);
	expect(error).toBeInstanceOf(JournalError);
	expect((error as JournalError).fault).toBe('locked');
	return (error as JournalError).message;
}

test('a second one is refused, also within a process, until the first lets go', async () => {
	const lock = await lockFolder(folder);
	expect(await refusal()).toContain(`process ${process.pid} writes to "${folder}"`);
	await lock.release();
	expect(await readdir(folder)).toEqual([]);
	await (await lockFolder(folder)).release();
});

test('it names the process that holds it, and is taken over when that was killed', async () => {
	const { child, said } = await other();
	expect(said).toBe('holds');
	expect(await refusal()).toContain(`process ${child.pid} `);
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(await readdir(folder)).toHaveLength(1);
	const lock = await lockFolder(folder);
	expect(await readdir(folder)).toHaveLength(1);
	await lock.release();
});

test.runIf(process.platform === 'linux')(
	'it holds also when a program that tidies up has removed its socket',
	async () => {
		const { child } = await other();
		for (const name of await readdir(folder)) await rm(join(folder, name));
		expect(await refusal()).toContain(`Another process writes to "${folder}"`);
		expect(await readdir(folder)).toEqual([]);
		child.kill('SIGKILL');
		await once(child, 'exit');
		await (await lockFolder(folder)).release();
		await (await lockFolder(folder)).release();
	},
);

test('a number that another process has now holds nothing', async () => {
	// What is left by a process whose number this one has: a name, and nobody who listens.
	await writeFile(join(folder, `lock-${process.pid}-0123456789abcdef`), '');
	await writeFile(join(folder, 'lock-1-0123456789abcdef'), '');
	const lock = await lockFolder(folder);
	expect(await readdir(folder)).toHaveLength(1);
	await lock.release();
});

test('of many that begin at once, after one that was killed, one holds it', async () => {
	const { child } = await other();
	child.kill('SIGKILL');
	await once(child, 'exit');
	const all = await Promise.all(Array.from({ length: 6 }, other));
	expect(all.filter(({ said }) => said === 'holds').length).toBeLessThanOrEqual(1);
	const many = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
	const held = many.filter(({ status }) => status === 'fulfilled').length;
	expect(held + all.filter(({ said }) => said === 'holds').length).toBeLessThanOrEqual(1);
	for (const result of many) if (result.status === 'fulfilled') await result.value.release();
});

test('a folder is one folder by whatever path, and however long that is', async () => {
	const deep = join(folder, 'x'.repeat(120), 'y'.repeat(120));
	await mkdir(deep, { recursive: true });
	const short = join(folder, 'short');
	await symlink(deep, short);
	const lock = await lockFolder(deep);
	await expect(lockFolder(short)).rejects.toThrow('writes to');
	await lock.release();
	await (await lockFolder(short)).release();
});
