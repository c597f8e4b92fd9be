/** The page's build has the physics library's binary as a file, which is the one that its script carries as text. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { withBinaryFile } from '../../../relay/build/physics-binary.ts';

const folder = dirname(createRequire(import.meta.url).resolve('@dimforge/rapier3d-compat'));

test('the text is gone, and the file holds the same bytes', async () => {
	const script = await readFile(join(folder, 'rapier.mjs'), 'utf8');
	const binary = await readFile(join(folder, 'rapier_wasm3d_bg.wasm'));
	const made = withBinaryFile(script);
	expect(made.length).toBeLessThan(script.length - binary.length);
	expect(made).toContain("from './rapier_wasm3d_bg.wasm?url'");
	const [, text = ''] = /toByteArray\("(AGFzbQ[^"]*)"\)/.exec(script) ?? [];
	expect(Buffer.from(text, 'base64').equals(binary)).toBe(true);
});

test('a library that carries it otherwise fails the build', () => {
	expect(() => withBinaryFile('export default 1;')).toThrow('no longer carries');
});
