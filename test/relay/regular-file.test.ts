/** Opening of regular files, and refusal of pipes and folders. */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotRegularError, openRegular } from '../../relay/regular-file.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-regular-'));
	await writeFile(join(folder, 'file'), 'abc');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is opened together with its size', async () => {
	const { file, size } = await openRegular(join(folder, 'file'), 'refused');
	expect([size, await file.readFile('utf8')]).toEqual([3, 'abc']);
	await file.close();
});

test('a link is followed, or refused', async () => {
	await symlink(join(folder, 'file'), join(folder, 'link'));
	const { file, size } = await openRegular(join(folder, 'link'), 'followed');
	await file.close();
	expect(size).toBe(3);
	await expect(openRegular(join(folder, 'link'), 'refused')).rejects.toMatchObject({ code: 'ELOOP' });
});

test.skipIf(process.platform === 'win32')('a pipe does not block, and a folder is refused', async () => {
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	await mkdir(join(folder, 'folder'));
	for (const name of ['pipe', 'folder'])
		await expect(openRegular(join(folder, name), 'refused')).rejects.toThrow(NotRegularError);
	await expect(openRegular(join(folder, 'none'), 'refused')).rejects.toMatchObject({ code: 'ENOENT' });
});
