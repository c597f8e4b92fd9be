/**
 * The READMEs and the guide name only existing files, lists and imports.
 * Owns: the size of the README, the table "How to add a thing" of shared/README.md, and all paths and imports in a README or
 * in the guide.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
/** Returns a page without its code blocks. */
const proseOf = (page: string) => read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');

const FOLDERS = ['relay', 'web/host', 'web/sim', 'web/render', 'web/ui', 'shared', 'test'];
const READMES = ['README.md', ...FOLDERS.map((folder) => `${folder}/README.md`)];
const GUIDE = globSync('public/guide/*.md', { cwd: ROOT }).sort();

const MAX_LINES = 120;
const MAX_BYTES = 9 * 1024;

interface Thing {
	readonly name: string;
	readonly files: readonly string[];
	/** `[name of the list, the file that exports it]`. */
	readonly lists: readonly (readonly [list: string, file: string])[];
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
const isPath = (word: string) => /^[a-z]+\/[\w./<>-]+\.\w+$/.test(word);

function thingsIn(text: string): Thing[] {
	const section = /## How to add a thing\n([\s\S]*?)(\n## |$)/.exec(text)![1]!;
	const rows = section.split('\n').filter((line) => /^\| (an?|the) /.test(line));
	return rows.map((row) => {
		const [name = '', files = '', lists = ''] = row
			.split('|')
			.slice(1)
			.map((cell) => cell.trim());
		return {
			name,
			files: quoted(files).filter(isPath),
			lists: [...lists.matchAll(/`(\w+)` of `([^`]+)`/g)].map(([, list, file]) => [list!, file!] as const),
		};
	});
}

const things = thingsIn(proseOf('shared/README.md'));

/** Returns the files that match a pattern such as `shared/events/<name>.ts`, without the list `index.ts`. */
function filesOf(pattern: string): string[] {
	return globSync(pattern.replaceAll(/<[\w-]+>/g, '*'), { cwd: ROOT }).filter(
		(file) => basename(file) !== 'index.ts',
	);
}

test('the README fits on one page', () => {
	const text = read('README.md');
	expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
	expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
});

test('shared/README.md lists every kind of thing', () => {
	expect(things.map(({ name }) => name)).toEqual([
		'a condition',
		'an action',
		'a kind of target',
		'an event',
		'a stored component',
		'a spawnable component',
		'a demand on entities',
		'a drawn component',
		'a route',
		'a system',
		'a part',
		'a view of the page',
		'an inspector section',
		'a recipe',
		'a game on Start',
		'a model',
	]);
});

describe.each(things)('$name', ({ name, files, lists }) => {
	test('consists of files that exist', () => {
		const isSame = name === 'a spawnable component';
		expect(files.length).toBe(isSame ? 0 : Math.max(1, files.length));
		for (const file of files) {
			if (file.includes('<')) expect(filesOf(file).length, file).toBeGreaterThan(0);
			else expect(existsSync(join(ROOT, file)), file).toBe(true);
		}
	});

	test.each(lists)('is listed in %s of %s', async (list, file) => {
		const module = (await import(join(ROOT, file))) as Record<string, unknown>;
		expect(Object.keys(module)).toContain(list);
		expect(Object.values(module[list] as object).length).toBeGreaterThan(1);
	});
});

describe.each([...READMES, ...GUIDE])('%s', (page) => {
	test('names only files that exist', () => {
		const paths = quoted(proseOf(page)).filter(
			(word) => isPath(word) && /^(shared|web|relay|sw|test|public)\//.test(word),
		);
		const missing = paths.filter((path) =>
			path.includes('<') ? filesOf(path).length === 0 : !existsSync(join(ROOT, path)),
		);
		expect(missing).toEqual([]);
	});

	test('links only to files that exist', () => {
		const targets = [...proseOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
		expect(targets.filter((target) => !existsSync(resolve(ROOT, dirname(page), target)))).toEqual([]);
	});
});

/** `[name, the file that exports it]` of every import from the package in the TypeScript of a page. */
const importsIn = (page: string) =>
	[...read(page).matchAll(/^import \{ ([^}]+) \} from 'orrery(?:\/(\w+))?';$/gm)].flatMap(
		([, names, module]) =>
			names!.split(', ').map((name) => [name, `relay/package/${module ?? 'client'}.ts`] as const),
	);

test.each([...new Set(GUIDE.flatMap(importsIn).map((pair) => pair.join(' of ')))])(
	'%s, which the guide imports, exists',
	async (pair) => {
		const [name, file] = pair.split(' of ') as [string, string];
		expect(Object.keys((await import(join(ROOT, file))) as object)).toContain(name);
	},
);

test.each(FOLDERS)('%s/README.md names five files to read first, all in that folder', (folder) => {
	const section = /## Read first\n([\s\S]*?)\n## /.exec(read(`${folder}/README.md`))?.[1] ?? '';
	const first = [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path]) => path!);
	expect(first).toHaveLength(5);
	expect(first.filter((path) => !path.startsWith(`${folder}/`))).toEqual([]);
});

test('the index of the guide lists every page once', () => {
	const listed = [...read('public/guide/index.md').matchAll(/^(?:-|\d+\.) \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(
		([, target]) => `public/guide/${target}`,
	);
	expect(listed.sort()).toEqual(GUIDE.filter((page) => basename(page) !== 'index.md'));
});
