/**
 * Public texts follow the rules of plain English that a program can check: words, openings, and the length of sentences.
 * Owns: these tests for the source and the documents made from it. The rules are in `test/gate/words.ts`.
 *
 * `node test/gate/words.ts web/ui` lists the same findings in two seconds, and counts them by folder.
 */

import { expect, test } from 'vitest';
import { components } from '../shared/components/index.ts';
import { openApiDocument } from '../shared/contract/api-documents.ts';
import { eventDocuments, schemaDocument } from '../shared/contract/schema-document.ts';
import { events } from '../shared/events/index.ts';
import { routes } from '../shared/routes/index.ts';
import {
	COMMENTED,
	findingsIn,
	findingsInComment,
	findingsInComments,
	findingsInTitles,
	publicTexts,
	type Text,
	type WordFinding,
} from './gate/words.ts';

const PLACES = ['shared', 'web', 'relay', 'sw', 'test', 'README.md', 'public/guide'];

const shown = ({ file, line, rule, text }: WordFinding): string => `${file}:${line}: ${rule}: ${text}`;

/** Parsed once. */
const all = publicTexts();

test.each(PLACES)('public texts in %s are plain English', (place) => {
	const texts = all.filter(({ file }) => file.startsWith(place));
	expect(texts.flatMap(findingsIn).map(shown)).toEqual([]);
});

test.each(COMMENTED)('comments in %s have no persons, and start with a noun or a verb', (folder) => {
	expect(findingsInComments(folder).map(shown)).toEqual([]);
});

test('titles of tests have no persons', () => {
	expect(findingsInTitles('test').map(shown)).toEqual([]);
});

test('the rules of comments find banned words, and ignore questions', () => {
	for (const text of [
		'* What draws.',
		'*\n * Whether it draws.',
		'* How far it reaches.',
		' Nobody reads it.',
		'* A call of somebody.',
	])
		expect(findingsInComment(text).length, text).toBe(1);
	for (const text of ['* What next?', ' What draws.', '* Returns what draws.'])
		expect(findingsInComment(text)).toEqual([]);
});

/** Returns the texts of a document, each under its place in it. Examples are data. */
function textsOfDocument(value: unknown, file: string): Text[] {
	if (typeof value === 'string') return [{ file, line: 0, text: value, prose: false }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value)
		.filter(([key]) => !['example', 'examples', 'x-examples', 'pattern', 'default'].includes(key))
		.flatMap(([key, inner]) => textsOfDocument(inner, `${file}/${key}`));
}

test.each([
	['the schema', { ...schemaDocument(routes, components), events: eventDocuments(events) }],
	['the OpenAPI document', openApiDocument(routes)],
])('%s, whose texts are composed, is plain English', (name, document) => {
	// A short form is a grammar, no sentence.
	const texts = textsOfDocument(document, name).filter(
		({ text }) => text.trim().includes(' ') && !text.startsWith('Short form'),
	);
	expect(texts.length).toBeGreaterThan(100);
	expect([...new Map(texts.flatMap(findingsIn).map((found) => [found.text, shown(found)])).values()]).toEqual(
		[],
	);
});

test('texts of every kind of file are found', () => {
	for (const kind of [/^shared.*\.ts$/, /^web.*\.tsx$/, /^relay.*\.ts$/, /^README/, /^public/, /\.html$/])
		expect(all.filter(({ file }) => kind.test(file)).length, String(kind)).toBeGreaterThan(1);
});

const rulesOf = (text: string, prose = false): string[] =>
	findingsIn({ file: 'a', line: 1, text, prose }).map(({ rule }) => rule);

test('the rules find words, openings and long sentences, and nothing else', () => {
	expect(rulesOf('Nobody has it.')).toEqual([expect.stringContaining('"Nobody"')]);
	expect(rulesOf('Whether the fork is exact')).toEqual([expect.stringContaining('starts with "Whether"')]);
	expect(rulesOf('Whether it is exact, peek says.', true)).toEqual([]);
	expect(rulesOf('What next?')).toEqual([]);
	expect(rulesOf(`${'word '.repeat(35)}end.`)).toEqual([expect.stringContaining('36 words')]);
	expect(rulesOf(`${'word '.repeat(34)}end. Another sentence follows here.`)).toEqual([]);
	expect(rulesOf('No entity has a path. Send an id of GET /path/list.')).toEqual([]);
});
