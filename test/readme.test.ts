/**
 * What the README says of the code is so: the files that it names are there, and the lists are exported under the names it gives.
 * Owns: the table "How to add a thing", and every other path in the README.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** Without what stands in fences: that is for a shell. */
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');

interface Thing {
	readonly name: string;
	readonly files: readonly string[];
	/** `[name of the list, the file that exports it]`. */
	readonly lists: readonly (readonly [list: string, file: string])[];
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
const isPath = (word: string) => /^[a-z]+\/[\w./<>-]+\.\w+$/.test(word);

function thingsIn(text: string): Thing[] {
	const section = /## How to add a thing\n([\s\S]*?)\n## /.exec(text)![1]!;
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

const things = thingsIn(readme);

/** The files that a pattern such as `shared/events/<name>.ts` stands for, the list aside. */
function filesOf(pattern: string): string[] {
	return globSync(pattern.replaceAll(/<[\w-]+>/g, '*'), { cwd: ROOT }).filter(
		(file) => basename(file) !== 'index.ts',
	);
}

test('the README tells of every kind of thing', () => {
	expect(things.map(({ name }) => name)).toEqual([
		'a condition',
		'an action',
		'a kind of target',
		'an event',
		'a stored component',
		'a spawnable component',
		'a drawn component',
		'a route',
		'a system',
		'a part',
		'a view of the page',
		'an inspector section',
		'a game on Start',
		'a model',
	]);
});

describe.each(things)('$name', ({ name, files, lists }) => {
	test('is made of files that there are', () => {
		const same = name === 'a spawnable component';
		expect(files.length).toBe(same ? 0 : Math.max(1, files.length));
		for (const file of files) {
			if (file.includes('<')) expect(filesOf(file).length, file).toBeGreaterThan(0);
			else expect(existsSync(join(ROOT, file)), file).toBe(true);
		}
	});

	test.each(lists)('stands in %s of %s', async (list, file) => {
		const module = (await import(join(ROOT, file))) as Record<string, unknown>;
		expect(Object.keys(module)).toContain(list);
		expect(Object.values(module[list] as object).length).toBeGreaterThan(1);
	});
});

test('every path that the README names anywhere is there', () => {
	const paths = quoted(readme).filter(
		(word) => isPath(word) && /^(shared|web|relay|sw|test|public)\//.test(word),
	);
	expect(paths.length).toBeGreaterThan(20);
	const gone = paths.filter((path) =>
		path.includes('<') ? filesOf(path).length === 0 : !existsSync(join(ROOT, path)),
	);
	expect(gone).toEqual([]);
});
