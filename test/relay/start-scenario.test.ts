/** Files for --scene are checked like bodies before the server starts. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readScene } from '../../relay/start-scenario.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-scene-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a shipped scene is found by name, and a file by path', async () => {
	expect(await readScene('arena')).toMatchObject({ path: '/scenario' });
	const file = join(folder, 'level.json');
	await writeFile(file, '{"entities":[]}');
	expect(await readScene(file)).toEqual({ path: '/level/load', body: { level: { entities: [] } } });
});

test.each([
	['text that is no JSON', '{', 'is not JSON'],
	['a repeated key', '{"entities":[],"entities":[]}', 'more than once'],
	['JSON that nests too deep', `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`, 'deep'],
	['a list', '[]', 'does not contain a JSON object'],
])('%s is refused with a clear error', async (_, text, words) => {
	const file = join(folder, 'level.json');
	await writeFile(file, text);
	await expect(readScene(file)).rejects.toThrow(words);
});

test.runIf(process.platform !== 'win32')('a pipe is refused', async () => {
	const file = join(folder, 'pipe.json');
	execFileSync('mkfifo', [file]);
	await expect(readScene(file)).rejects.toThrow('not a regular file');
});
