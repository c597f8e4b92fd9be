/**
 * Adding a thing needs only its own files and entries in lists.
 * Owns: a copy of the source with one added thing of each kind. The copy must compile, and its engine must support all of
 * them.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { additions, type ListEntry } from './support/additions.ts';
import { times } from './support/property.ts';

const ROOT = resolve(import.meta.dirname, '..');
const COPIED = ['package.json', 'tsconfig.json', 'shared', 'web', 'relay', 'sw', 'test/support'];
/** Number of new files for each kind of thing. */
const FILES: Readonly<Record<string, number>> = {
	'a stored component': 1,
	'a spawnable component': 1,
	'a demand on entities': 1,
	'a drawn component': 2,
	'a condition': 2,
	'an action': 2,
	'a kind of target': 2,
	'an event': 1,
	'a route': 2,
	'a system': 1,
	'a view of the page': 1,
};

let copy: string;
// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
let answers: any;

function addEntry({ file, begins, entry, imports: [what, from] }: ListEntry): void {
	const path = join(copy, file);
	const text = readFileSync(path, 'utf8');
	expect(text.split(begins), `${file} has "${begins}" once`).toHaveLength(2);
	const [head, rest] = [text.indexOf('\nimport ') + 1, text.replace(begins, `${begins} ${entry},`)];
	writeFileSync(path, `${rest.slice(0, head)}import ${what} from '${from}';\n${rest.slice(head)}`);
}

beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'orrery-adding-'));
	for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir');
	for (const { files, lists } of additions) {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(join(copy, file)), { recursive: true });
			writeFileSync(join(copy, file), text, { flag: 'wx' });
		}
		for (const entry of lists) addEntry(entry);
	}
	answers = JSON.parse(
		execFileSync(process.execPath, ['test/support/additions-probe.ts'], {
			cwd: copy,
			maxBuffer: 2 ** 28,
		}).toString(),
	);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the number of files for each kind of thing is fixed', () => {
	expect(Object.fromEntries(additions.map(({ thing, files }) => [thing, Object.keys(files).length]))).toEqual(
		FILES,
	);
});

test('the files and lists are those of the table in shared/README.md', () => {
	const readme = readFileSync(join(ROOT, 'shared/README.md'), 'utf8');
	for (const { thing, files, lists } of additions) {
		const row = readme.split('\n').find((line) => line.startsWith(`| ${thing} `));
		expect(row, thing).toBeDefined();
		const said = thing === 'a spawnable component' ? `${row} shared/components/index.ts` : row;
		for (const { file } of lists) expect(said, thing).toContain(file);
		for (const file of Object.keys(files)) {
			const folders = [...row!.matchAll(/`([\w/<>]+)\/<(?:kind|name|tag|verb-noun|feature)>/g)].map(
				([, folder]) => folder!,
			);
			const fits = folders.some((folder) =>
				new RegExp(`^${folder.replace('<feature>', '[a-z]+')}$`).test(dirname(file)),
			);
			expect(fits || thing === 'a spawnable component', `${thing}: ${file}`).toBe(true);
		}
	}
});

/** Files that every run compiles: the engine with the additions. `npm run deep` compiles the whole copy. */
const ENGINE = ['web/host/engine.ts', 'web/**/*.d.ts', 'sw/*.d.ts'];

test('the added code compiles together with the rest', () => {
	const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
	const types = (project: string) =>
		spawnSync(process.execPath, [tsc, '--noEmit', '--singleThreaded', '-p', project], {
			cwd: copy,
			encoding: 'utf8',
		}).stdout;
	writeFileSync(
		join(copy, 'tsconfig.engine.json'),
		JSON.stringify({ extends: './tsconfig.json', include: ENGINE }),
	);
	const projects = times(1) > 1 ? ['.', 'web/sim'] : ['tsconfig.engine.json'];
	for (const project of projects) expect(types(project)).toBe('');
});

test('components are stored, shown, digested, saved and drawn', () => {
	const [goat, fish] = answers.observed.entities;
	expect(goat).toMatchObject({ fur: 1, frost: 8, tags: ['goat'] });
	expect(fish).not.toHaveProperty('fur');
	expect(answers.scenario.entities[0]).toMatchObject({ fur: 1 });
	expect(answers.restored.state_digest).toBe(answers.digest.state_digest);
	expect(Object.keys(answers.schema.components)).toEqual(expect.arrayContaining(['Frost', 'Fur']));
	expect(answers.drawn[0]).toBe(8);
});

test('the added aspect applies to a change and to a document', () => {
	for (const answer of answers.thick)
		expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('has thin fur') });
});

test('rules accept the added condition, action, target and event', () => {
	expect(answers.peek).toMatchObject({ exact: true });
	const announced = answers.peek.distribution.map(
		({ state_digest }: { state_digest: string }) => state_digest,
	);
	expect(new Set(announced).size).toBe(2);
	expect(announced).toContain(answers.mine.state_digest);
	expect(answers.forks.state_digest).toBe(answers.mine.state_digest);
	expect(answers.events.events).toContainEqual(expect.objectContaining({ type: 'ChilledEvent', degrees: 8 }));
});

test('the added system runs in every tick', () =>
	expect(answers.melted.entities[0]).toMatchObject({ frost: 7, tags: ['goat', 'white'] }));

test('the added route answers and is documented', () => {
	expect(answers.frost.entities[0]).toBe(0);
	expect(answers.document.paths['/frost'].get.operationId).toBe('frost.list');
});
