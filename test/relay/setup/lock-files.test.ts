/** Every package of every lock file has a hash, so npm checks its content. */

import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface LockedPackage {
	readonly integrity?: string;
	readonly link?: boolean;
}

test('every entry of every lock file has the hash of its package', async () => {
	const files: string[] = [];
	for await (const file of glob(['package-lock.json', 'relay/**/package-lock.json'])) files.push(file);
	expect(files.sort()).toEqual(['package-lock.json', 'relay/setup/node/package-lock.json']);
	for (const file of files) {
		const { packages } = JSON.parse(await readFile(file, 'utf8')) as {
			packages: Record<string, LockedPackage>;
		};
		const installed = Object.entries(packages).filter(([name, { link }]) => name !== '' && link !== true);
		expect(installed.length).toBeGreaterThan(0);
		const unhashed = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
		expect(
			unhashed.map(([name]) => name),
			file,
		).toEqual([]);
	}
});
