/**
 * Builds the part of the npm package that runs in Node: programs, modules and their types.
 * Owns: the list of entries. `relay/build.ts` builds the page.
 */

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../folders.ts';

/** Modules in `exports` of package.json. */
const MODULES = ['client', 'engine', 'testing'];
/** Programs that `relay/orrery.mjs` starts directly or indirectly, and the modules. */
const ENTRIES = {
	cli: 'relay/cli/main.ts',
	start: 'relay/package/start.ts',
	'engine-thread': 'relay/thread/engine.worker.ts',
	'pool-thread': 'relay/thread/pool.worker.ts',
	'task-thread': 'relay/suite/task.worker.ts',
	'download-chrome': 'relay/setup/download-chrome.mjs',
	...Object.fromEntries(MODULES.map((name) => [name, `relay/package/${name}.ts`])),
};

/** Oldest Node that the package supports. It is the first with `node:sqlite`. */
const TARGET = 'node22.13';

/** Builds programs and modules into a folder. Packages stay imports, because npm installs them. */
export async function buildNode(folder: string): Promise<void> {
	await build({
		configFile: false,
		root: ROOT,
		publicDir: false,
		logLevel: 'warn',
		build: {
			ssr: true,
			target: TARGET,
			outDir: folder,
			emptyOutDir: true,
			rolldownOptions: {
				checks: { pluginTimings: false },
				input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)])),
				// These files need the sources of the page, which only a clone has.
				external: /relay\/(build|source-page|python\/python-page)\.ts$/,
				output: {
					entryFileNames: ({ facadeModuleId }) =>
						`[name]${extname(facadeModuleId ?? '') === '.mjs' ? '.mjs' : '.js'}`,
					chunkFileNames: '[name]-[hash].js',
				},
			},
		},
	});
}

/** Writes the types of the modules into a folder: their declarations, and those that they import. */
export async function buildTypes(folder: string): Promise<void> {
	// In node_modules, because the declarations import types of packages.
	const allTypes = await mkdtemp(join(ROOT, 'node_modules/.types-'));
	try {
		const project = join(allTypes, 'tsconfig.json');
		const files = MODULES.map((name) => join(ROOT, `relay/package/${name}.ts`));
		// The gate checks the sources. A second check would double the time of a build.
		const compilerOptions = {
			noEmit: false,
			noCheck: true,
			declaration: true,
			emitDeclarationOnly: true,
			rootDir: ROOT,
		};
		const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files };
		await writeFile(project, JSON.stringify(config));
		const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
		const { status, stdout } = spawnSync(
			process.execPath,
			[tsc, '-p', project, '--outDir', allTypes, '--singleThreaded'],
			{ encoding: 'utf8' },
		);
		if (status !== 0) throw new Error(`The types could not be built.\n${stdout}`);
		await rm(folder, { recursive: true, force: true });
		const pending = MODULES.map((name) => `relay/package/${name}.d.ts`);
		const writtenFiles = new Set<string>();
		for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
			if (writtenFiles.has(file)) continue;
			writtenFiles.add(file);
			const text = await readFile(join(allTypes, file), 'utf8');
			for (const [, name] of text.matchAll(RELATIVE_IMPORT))
				pending.push(join(dirname(file), `${name}.d.ts`));
			await mkdir(dirname(join(folder, file)), { recursive: true });
			await writeFile(
				join(folder, file),
				text.replaceAll(RELATIVE_IMPORT, (match) => match.replace(/\.ts(.)$/, '.js$1')),
			);
		}
	} finally {
		await rm(allTypes, { recursive: true, force: true });
	}
}

/** An import of another declaration: `from './x.ts'` or `import("./x.ts")`. */
const RELATIVE_IMPORT = /(?:from |import\()["'](\.[^"']+)\.ts["']/g;
