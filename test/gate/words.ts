/**
 * Finds public texts that break the rules of plain English which a program can check.
 * A public text is a literal of at least three words in the source, or a paragraph of a README, the guide or a page.
 * Comments have rules of their own.
 * Owns: the rules, and where the texts are. `node test/gate/words.ts [FOLDER ...]` lists the findings and counts them.
 */

import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = resolve(import.meta.dirname, '../..');

/** Maximum number of words in a sentence. The aim is 25. */
const MAX_WORDS = 35;

/** Replaces a value that a template inserts. */
const VALUE = '◦';

const BANNED: readonly (readonly [pattern: RegExp, rule: string])[] = [
	[/\b(nobody|somebody|anybody)\b/i, 'write "none", "any", "another client"'],
	[/\bwhom\b/i, 'say what the entity or caller is'],
	[/\bwho(so)?ever\b|\bwho asks\b/i, 'write "any reader", "the caller"'],
	[/\b(come|comes|came|coming) to the same\b/i, 'write "is equal", "matches"'],
	[/\b(hangs?|hung) on\b/i, 'write "is a child of"'],
	[/\b(goes|go|went) by\b/i, 'write "depends on", "uses"'],
	[/\b(go|goes|went|going|gone) on with\b/i, 'write "resumes"'],
	[/\bonce more\b/i, 'write "again"'],
	[/\banew\b/i, 'write "again", "new"'],
	[/\bdecides? over\b/i, 'write "controls"'],
	[/\bas things (are|stand)\b/i, 'write "currently"'],
	[/\bso (many|much|far as)\b/i, 'write "`n`", "as long as"'],
	[/\bat the (most|least)\b/i, 'write "at most", "at least"'],
	[/\b(stands|stood) in for\b/i, 'write "represents"'],
	[/\bthat there (is|are)\b|\bthose there (is|are)\b/i, 'write "existing", "the"'],
	[/\bwhere that (cannot|can not)\b/i, 'write "otherwise"'],
	[/\b(is|are|was|were|be) (told|said)\b/i, 'write "reports", "returns"'],
	[/\bwhose turn\b|\bholds the world\b/i, 'write "owner", "lease"'],
	[/\berrands?\b/i, 'write "request"'],
	[/\b(the|its|their) likes?\b/i, 'name the things'],
	[/\bbe had\b|\bhas to be had\b/i, 'say what is missing'],
];

/** Openings that a docstring, a field's meaning or a summary must not have: each makes a noun clause without a verb. */
const OPENINGS =
	/^(what|whether|which|who|whose|where|how (far|many|much|long|often|fast|large|high|wide)|so (many|long|far))\b/i;

export interface Text {
	readonly file: string;
	readonly line: number;
	readonly text: string;
	/** True for a paragraph, which may have any opening. */
	readonly prose: boolean;
}

export interface WordFinding {
	readonly file: string;
	readonly line: number;
	readonly rule: string;
	readonly text: string;
}

interface Node {
	readonly type: string;
	readonly start: number;
	readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Returns a function from an offset in `source` to its line number. Offsets must not decrease between calls. */
function lineCounter(source: string): (offset: number) => number {
	let line = 1;
	let end = source.indexOf('\n');
	return (offset) => {
		while (end !== -1 && end < offset) {
			line++;
			end = source.indexOf('\n', end + 1);
		}
		return line;
	};
}

/** Nodes without texts, such as types and the names of modules. */
const SKIPPED = /^(Import|TSType|TSInterface|TSLiteralType|TSUnion|ExportAll)/;
/** Attributes and properties that hold code, styles or addresses. */
const CODE_KEYS = new Set(['className', 'class', 'style', 'd', 'viewBox', 'grid', 'code', 'source', 'lua']);

/** Returns the text of a literal, a template or a sum of them; undefined for other nodes. */
function textOf(node: Node): string | undefined {
	if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
	if (node.type === 'TemplateLiteral') {
		const quasis = node.quasis as { value: { cooked: string } }[];
		return quasis.map(({ value }) => value.cooked).join(VALUE);
	}
	if (node.type === 'BinaryExpression' && node.operator === '+') {
		const parts = [node.left, node.right].map((part) => (isNode(part) ? textOf(part) : undefined));
		return parts.every((part) => part === undefined)
			? undefined
			: parts.map((part) => part ?? VALUE).join('');
	}
	if (node.type === 'JSXText') return String(node.value);
	return undefined;
}

/** Calls `onText` for every text in a node, and for texts in the values of a template. */
function visit(node: Node, onText: (text: string, start: number) => void, isInside = false): void {
	if (SKIPPED.test(node.type) || node.type === 'TaggedTemplateExpression') return;
	const text = textOf(node);
	if (text !== undefined && !isInside) onText(text, node.start);
	for (const [key, value] of Object.entries(node)) {
		if (key === 'parent') continue;
		if (node.type === 'Property' && (key === 'key' || CODE_KEYS.has(nameOf(node)))) continue;
		if (node.type === 'JSXAttribute' && CODE_KEYS.has(nameOf(node))) continue;
		const part = text !== undefined && node.type === 'BinaryExpression';
		for (const child of Array.isArray(value) ? value : [value])
			if (isNode(child)) visit(child, onText, part && textOf(child) !== undefined);
	}
}

function nameOf(node: Node): string {
	const key = (node.key ?? node.name) as Node | undefined;
	return String(key?.name ?? key?.value ?? '');
}

const WORD = /[\p{L}◦][\p{L}\d'◦-]*/gu;
/** Three or more names, calls or records with commas between. */
const LIST = /[\w.]+(\([^()]*\)|\{[^{}]*\})?(, [\w.]+(\([^()]*\)|\{[^{}]*\})?){2,}/g;
/** Returns the number of words of a text. A list of names counts as one word. */
const wordsIn = (text: string): number => text.replaceAll(LIST, VALUE).match(WORD)?.length ?? 0;

/** Returns true for a text of at least three words with spaces, which no name, selector or address has. */
const isText = (text: string): boolean =>
	/ [a-z]/.test(text) && wordsIn(text) >= 3 && !/[{;]\s*\n/.test(text);

function textsOfScript(file: string): Text[] {
	const source = read(file);
	const { program, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
	const found: Text[] = [];
	const lineAt = lineCounter(source);
	visit(program as unknown as Node, (text, start) => {
		const line = lineAt(start);
		// Each line of a help text is a paragraph, together with the indented lines below it.
		for (const paragraph of text.split(/\n(?!\s{6,}\S)/)) {
			const plain = paragraph.replaceAll(/\s+/g, ' ').trim();
			if (isText(plain)) found.push({ file, line, text: plain, prose: false });
		}
	});
	return found;
}

/** Returns the paragraphs, list items and table cells of a Markdown file, without code. */
function textsOfMarkdown(file: string): Text[] {
	const plain = read(file)
		.replaceAll(/^```[\s\S]*?^```$/gm, (code) => code.replaceAll(/[^\n]/g, ''))
		.replaceAll(/`[^`\n]+`/g, VALUE)
		.replaceAll(/\]\([^)]*\)/g, ']');
	const found: Text[] = [];
	let line = 1;
	for (const block of plain.split(/(\n(?=\s*(?:\n|[-*|#>]|\d+\.)))/)) {
		for (const cell of block.split(' | '))
			if (isText(cell.trim()))
				found.push({ file, line, text: cell.replaceAll(/\s+/g, ' ').trim(), prose: true });
		line += block.split('\n').length - 1;
	}
	return found;
}

/** Returns the visible texts and attributes of an HTML page. */
function textsOfPage(file: string): Text[] {
	const source = read(file).replaceAll(/<(script|style)[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, (code) =>
		code.replaceAll(/[^\n]/g, ''),
	);
	const lineAt = lineCounter(source);
	return [...source.matchAll(/>([^<]+)<|(?:title|content|alt|aria-label)="([^"]+)"/g)]
		.map(({ 1: text, 2: attribute, index }) => ({
			file,
			line: lineAt(index),
			text: (text ?? attribute ?? '').replaceAll(/\s+/g, ' ').trim(),
			prose: true,
		}))
		.filter(({ text }) => isText(text));
}

function sentencesOf(text: string): string[] {
	return text.split(/(?<=[.!?]["')\]]*)\s+/);
}

/** Returns the findings in a text. */
export function findingsIn(text: Text): WordFinding[] {
	const { file, line, prose } = text;
	const rules: (readonly [rule: string, part: string])[] = [];
	for (const sentence of sentencesOf(text.text)) {
		for (const [pattern, advice] of BANNED) {
			const match = pattern.exec(sentence);
			if (match !== null) rules.push([`"${match[0]}": ${advice}`, sentence]);
		}
		const count = wordsIn(sentence);
		if (count > MAX_WORDS) rules.push([`${count} words in a sentence, at most ${MAX_WORDS}`, sentence]);
	}
	const opening = prose || text.text.endsWith('?') ? null : OPENINGS.exec(text.text);
	if (opening !== null) rules.push([`starts with "${opening[0]}": start with a noun or a verb`, text.text]);
	return rules.map(([rule, part]) => ({ file, line, rule, text: part }));
}

const FOLDERS = ['shared', 'web', 'relay', 'sw'];
/** Files with data in place of texts: generators of scenes and models, lists of their files, and the Lua prelude. */
const DATA = /^(relay\/build\/|shared\/documents\/shipped\.ts|web\/sim\/scripts\/prelude\.ts)/;

/** Returns all public texts of the files whose path starts with one of `within`. */
export function publicTexts(within: readonly string[] = ['']): Text[] {
	const files = (...patterns: string[]): string[] =>
		globSync(patterns, { cwd: ROOT })
			.filter((file) => !DATA.test(file) && within.some((start) => file.startsWith(start)))
			.sort();
	return [
		...files(...FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`)).flatMap(textsOfScript),
		...files('README.md', '{shared,web,relay,test}/{,*/}README.md', 'public/guide/*.md').flatMap(
			textsOfMarkdown,
		),
		...files('web/**/*.html').flatMap(textsOfPage),
	];
}

/** Folders whose comments follow the rules. */
export const COMMENTED: readonly string[] = [...FOLDERS, 'test'];

const PERSONS = /\b(no|some|any)body\b/i;

/** Returns the broken rules of a comment. `value` is its text without the marks at both ends. */
export function findingsInComment(value: string): string[] {
	const person = PERSONS.exec(value);
	// A docstring begins with one more mark.
	const text = value.startsWith('*') ? value.replace(/^[\s*]+/, '') : '';
	const opening = text.includes('?') ? null : OPENINGS.exec(text);
	return [
		...(person === null ? [] : [`"${person[0]}": write "none", "any", "another client"`]),
		...(opening === null ? [] : [`"${opening[0]}": start with a noun or a verb`]),
	];
}

/** Returns the findings in the comments of a folder. */
export function findingsInComments(folder: string): WordFinding[] {
	return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT })
		.sort()
		.flatMap((file) => {
			const source = read(file);
			const lineAt = lineCounter(source);
			return parseSync(file, source).comments.flatMap(({ value, start }) => {
				const rules = findingsInComment(value);
				if (rules.length === 0) return [];
				const [line, text] = [lineAt(start), value.replaceAll(/[\s*]+/g, ' ').trim()];
				return rules.map((rule) => ({ file, line, rule, text }));
			});
		});
}

const TITLED = /^(test|it|describe)$/;

/** Returns the name at the start of a call, such as `test` of `test.each(list)('title', run)`. */
function calleeName(node: Node): string {
	const inner = node.callee ?? node.object;
	return isNode(inner) ? calleeName(inner) : nameOf({ ...node, key: node });
}

/** Calls `onTitle` with every title of a test or of a group of tests in a node. */
function visitTitles(node: Node, onTitle: (text: string, start: number) => void): void {
	if (node.type === 'CallExpression' && TITLED.test(calleeName(node))) {
		const [title] = node.arguments as Node[];
		const text = title === undefined ? undefined : textOf(title);
		if (text !== undefined) onTitle(text, node.start);
	}
	for (const value of Object.values(node))
		for (const child of Array.isArray(value) ? value : [value])
			if (isNode(child)) visitTitles(child, onTitle);
}

/** Returns the titles of tests that name a person, because an entity, tab or caller is a thing. */
export function findingsInTitles(folder: string): WordFinding[] {
	return globSync(`${folder}/**/*.ts`, { cwd: ROOT })
		.sort()
		.flatMap((file) => {
			const source = read(file);
			const found: WordFinding[] = [];
			visitTitles(parseSync(file, source).program as unknown as Node, (text, start) => {
				const person = /\b((no|some|any)body|whom|who(so)?ever)\b/i.exec(text);
				if (person === null) return;
				const line = source.slice(0, start).split('\n').length;
				found.push({ file, line, rule: `"${person[0]}": name the entity or caller`, text });
			});
			return found;
		});
}

if (process.argv[1] === import.meta.filename) {
	const within = process.argv.length > 2 ? process.argv.slice(2) : undefined;
	const texts = publicTexts(within);
	const commented = (within ?? COMMENTED).filter((start) =>
		COMMENTED.some((folder) => start.startsWith(folder)),
	);
	const findings = [...texts.flatMap(findingsIn), ...commented.flatMap(findingsInComments)];
	for (const { file, line, rule, text } of findings) console.log(`${file}:${line}: ${rule}\n    ${text}`);
	const counts = new Map<string, number>();
	for (const { file } of findings) {
		const folder = file.split('/').slice(0, 2).join('/');
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	for (const [folder, count] of counts) console.log(`${String(count).padStart(5)}  ${folder}`);
	console.log(`${findings.length} findings in ${texts.length} texts`);
	process.exitCode = findings.length > 0 ? 1 : 0;
}
