/** One process at a time owns a folder, even if several start together or an earlier owner was killed. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../../relay/journal/owner-lock.ts';
import { JournalError } from '../../../shared/transport/journal.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-lock-'));
});
afterEach(async () => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	await rm(folder, { recursive: true, force: true });
});

/** Starts another process that takes the lock and holds it. Returns the process and its message. */
async function startOther(): Promise<{ readonly child: ChildProcess; readonly said: string }> {
	const child = fork(join(import.meta.dirname, 'owner-holder.ts'), [folder], { execArgv: [] });
	children.push(child);
	const [text] = (await once(child, 'message')) as [string];
	return { child, said: text };
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

test('a second owner is refused, also in one process and by another path, until the first releases the lock', async () => {
	const link = join(folder, 'link');
	await symlink(folder, link);
	const lock = await lockFolder(folder);
	expect(await refusal()).toContain(`process ${process.pid} writes to "${folder}"`);
	await expect(lockFolder(link)).rejects.toThrow('writes to');
	lock.release();
	(await lockFolder(link)).release();
});

test('the refusal names the process, and after its death the next one owns the folder', async () => {
	const { child, said } = await startOther();
	expect(said).toBe('holds');
	expect(await refusal()).toContain(`process ${child.pid} `);
	child.kill('SIGKILL');
	await once(child, 'exit');
	(await lockFolder(folder)).release();
});

test('of several that start together after a killed owner, one owns the folder', async () => {
	const { child } = await startOther();
	child.kill('SIGKILL');
	await once(child, 'exit');
	const others = await Promise.all(Array.from({ length: 6 }, startOther));
	expect(others.filter(({ said }) => said === 'holds')).toHaveLength(1);
	const many = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
	expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(0);
});
