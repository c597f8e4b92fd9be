/** The page's build has the binary of the physics library as a file, and starts it when the page first needs physics. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { withBinaryFile } from '../../../relay/build/physics-binary.ts';
import { LIBRARY_VERSION } from '../../../web/sim/physics/rapier.ts';

const folder = dirname(createRequire(import.meta.url).resolve('@dimforge/rapier3d-compat'));

test('the text is removed, and the file has the same bytes', async () => {
	const script = await readFile(join(folder, 'rapier.mjs'), 'utf8');
	const binary = await readFile(join(folder, 'rapier_wasm3d_bg.wasm'));
	const result = withBinaryFile(script);
	expect(result.length).toBeLessThan(script.length - binary.length);
	expect(result).toContain("from './rapier_wasm3d_bg.wasm?url'");
	expect(result, 'names no map, which is of another script').not.toContain('sourceMappingURL');
	const [, text = ''] = /toByteArray\("(AGFzbQ[^"]*)"\)/.exec(script) ?? [];
	expect(Buffer.from(text, 'base64').equals(binary)).toBe(true);
});

test('the binary starts synchronously, and has the version that saved worlds name', async () => {
	const script = await readFile(join(folder, 'rapier.mjs'), 'utf8');
	const binary = await readFile(join(folder, 'rapier_wasm3d_bg.wasm'));
	const result = withBinaryFile(script).replace(
		/^import physicsBinary from [^;]*;/,
		"const physicsBinary='it';",
	);
	const outputFolder = await mkdtemp(join(tmpdir(), 'orrery-physics-'));
	await writeFile(join(outputFolder, 'made.mjs'), result);
	const requests: string[] = [];
	vi.stubGlobal(
		'XMLHttpRequest',
		class {
			status = 200;
			response = binary;
			open(...[method, path, waits]: [string, string, boolean]) {
				requests.push(`${method} ${path} ${waits}`);
			}
			send() {}
		},
	);
	const { default: library } = await import(pathToFileURL(join(outputFolder, 'made.mjs')).href);
	expect(requests).toEqual([]);
	expect(library.initNow().memory).toBeInstanceOf(WebAssembly.Memory);
	expect(requests).toEqual(['GET it false']);
	expect(library.version()).toBe(LIBRARY_VERSION);
	const world = new library.World({ x: 0, y: -9.81, z: 0 });
	const ball = world.createRigidBody(library.RigidBodyDesc.dynamic().setAdditionalMass(1));
	world.step();
	expect(ball.translation().y).toBeLessThan(0);
	vi.unstubAllGlobals();
	await rm(outputFolder, { recursive: true });
});

test('an unknown format of the library fails the build', () => {
	expect(() => withBinaryFile('export default 1;')).toThrow('has a form that');
});
