/**
 * Vite plugins that write the notices of all packages in the page, with their licences.
 * Owns: the allowed licences, and `/third-party-notices.txt`. A package without an allowed licence fails the build.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Licences that allow the distribution of the page, by their SPDX names. */
export const ALLOWED_LICENCES: readonly string[] = [
	'MIT',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'0BSD',
	'ISC',
	'MPL-2.0',
];

/** Path of the notices in the built page. */
export const NOTICES_FILE = 'third-party-notices.txt';

/** Plugins: one for the page, which writes the file, and one for each of its workers, which are built earlier. */
export interface NoticePlugins {
	readonly page: Plugin;
	worker(): Plugin;
}

/** Creates the plugins. They share the list of packages. */
export function createNoticePlugins(): NoticePlugins {
	const folders = new Set<string>();
	let root = '';
	const collect = (bundle: Rolldown.OutputBundle): void => {
		for (const part of Object.values(bundle))
			for (const id of part.type === 'chunk'
				? part.moduleIds
				: part.originalFileNames.map((name) => resolve(root, name))) {
				const folder = packageFolder(id);
				if (folder !== undefined) folders.add(folder);
			}
	};
	return {
		page: {
			name: 'orrery-notices',
			configResolved(config) {
				root = config.root;
			},
			generateBundle(_, bundle) {
				collect(bundle);
				this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source: noticesOf([...folders]) });
			},
		},
		worker: () => ({
			name: 'orrery-notices-of-worker',
			generateBundle(_, bundle) {
				collect(bundle);
			},
		}),
	};
}

/** Returns the folder of a module's package; undefined for the project's own modules. */
export function packageFolder(moduleId: string): string | undefined {
	if (moduleId.startsWith('\0')) return undefined;
	return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0];
}

/**
 * Returns the notices of packages, sorted by name. Throws if a package has no allowed licence, or no file with its text.
 */
export function noticesOf(folders: readonly string[]): string {
	const parts = folders.map((folder) => {
		const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
			readonly name: string;
			readonly version: string;
			readonly license?: string;
		};
		if (license === undefined || !ALLOWED_LICENCES.includes(license))
			throw new Error(
				`${name} ${version} is in the page under ${license ?? 'no licence'}, which is not allowed.`,
			);
		const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry));
		if (files.length === 0) throw new Error(`${name} ${version} has no file with the text of its licence.`);
		const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
		const crates = cratesIn(folder);
		if (crates.length > 0) texts.push(`${CRATES}\n${crates.join('\n')}`);
		return `${name} ${version}\n${license}\n\n${texts.join('\n\n')}\n`;
	});
	const separator = `\n${'-'.repeat(80)}\n\n`;
	return ['The page of Orrery contains these packages.\n', ...parts.sort()].join(separator);
}

const CRATES =
	'The WebAssembly of this package is compiled from Rust. Besides the package itself and the Rust standard library ' +
	'(MIT OR Apache-2.0), its binary names these crates. It may contain others. Each is published with its licence at ' +
	'https://crates.io/crates/NAME/VERSION.';

/**
 * Returns the Rust crates that the WebAssembly files of a package name in their messages, as `name version`, sorted.
 */
export function cratesIn(folder: string): string[] {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.wasm'),
	);
	const crates = new Set<string>();
	for (const file of files) {
		const text = readFileSync(join(folder, file), 'latin1');
		for (const [, name, version] of text.matchAll(
			/index\.crates\.io-[0-9a-f]+\/([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)\//g,
		))
			crates.add(`${name} ${version}`);
	}
	return [...crates].sort();
}
