/** Limits on the memory of files that wait for a transaction, and of files that it replaces. */

import { expect, test } from 'vitest';
import { StagedFiles } from '../../../web/host/staged-files.ts';
import { withApiErrors } from '../../../web/store/files.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';

const bytes = (length: number) => new Uint8Array(length);

test('waiting files have a total limit, and a file that is written twice counts once', async () => {
	const { files, bytesByPath } = createMemoryFiles();
	const staged = new StagedFiles(withApiErrors(files), 100);
	await staged.write('a', bytes(40));
	await staged.write('a', bytes(60));
	await staged.write('b', bytes(40));
	await expect(staged.write('c', bytes(1))).rejects.toMatchObject({ code: 'out_of_room' });
	await staged.commit();
	expect([...bytesByPath].map(([path, { length }]) => [path, length])).toEqual([
		['a', 60],
		['b', 40],
	]);
});

test('replaced files count towards the limit, and a refused commit leaves them unchanged', async () => {
	const { files, bytesByPath } = createMemoryFiles();
	for (const path of ['a', 'b', 'c']) await files.write(path, bytes(40));
	const staged = new StagedFiles(withApiErrors(files), 100);
	for (const path of ['a', 'b', 'c']) await staged.write(path, bytes(1));
	await expect(staged.commit()).rejects.toMatchObject({ code: 'out_of_room' });
	expect([...bytesByPath.values()].map(({ length }) => length)).toEqual([40, 40, 40]);
});
