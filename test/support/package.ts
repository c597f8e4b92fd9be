/**
 * The npm package, packed by npm and unpacked into the `node_modules` of a folder.
 * Owns: building the package. Its dependencies are links to those of the clone.
 */

import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildNode, buildTypes } from '../../relay/build/package.ts';
import { PAGE, PUBLIC, ROOT } from '../../relay/folders.ts';

const exec = promisify(execFile);

export interface PackedInstall {
	/** The installed package. */
	readonly folder: string;
	/** The program `orrery`. */
	readonly program: string;
	/** Size of the file that npm publishes (bytes). */
	readonly size: number;
}

/** Parts that take long to build or to pack. */
interface PackedParts {
	/** The built page. */
	readonly page?: boolean;
	/** The TypeScript declarations. */
	readonly types?: boolean;
}

/** Packs and installs the package in a folder, with these parts. */
export async function installPackage(
	folder: string,
	{ page = false, types = false }: PackedParts = {},
): Promise<PackedInstall> {
	const source = join(folder, 'source');
	for (const file of ['package.json', 'LICENSE', 'README.md', 'relay/orrery.mjs'])
		await cp(join(ROOT, file), join(source, file));
	await buildNode(join(source, 'dist/node'));
	// The command line prints the guide even without the page.
	await cp(join(PUBLIC, 'guide'), join(source, 'dist/page/guide'), { recursive: true });
	if (types) await buildTypes(join(source, 'dist/types'));
	if (page) await cp(PAGE, join(source, 'dist/page'), { recursive: true });
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	await exec(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source });
	const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
	await exec('tar', ['xzf', file], { cwd: folder });
	const packages = join(folder, 'node_modules');
	await mkdir(packages);
	for (const name of await readdir(join(ROOT, 'node_modules')))
		if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(packages, name));
	const packageFolder = join(packages, 'orrery');
	await rename(join(folder, 'package'), packageFolder);
	const { bin } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
		bin: { orrery: string };
	};
	return {
		folder: packageFolder,
		program: join(packageFolder, bin.orrery),
		size: (await stat(join(folder, file))).size,
	};
}
