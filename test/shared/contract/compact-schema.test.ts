/** GET /schema?form=compact: its texts are short, and requests can be written from them alone. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { components } from '../../../shared/components/index.ts';
import { COMPACT_BYTES, COMPACT_LIST_BYTES, compactSchema } from '../../../shared/contract/compact-schema.ts';
import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { definitionsOf } from '../../../shared/contract/schema-document.ts';
import { routes } from '../../../shared/routes/index.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { CONDITIONS, wordOf } from '../../../shared/verbs/conditions/index.ts';
import { type Json, startEngine } from '../../support/engine.ts';

const allRoutes: readonly Route[] = routes;
const KB = 1024;
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const { definitions, documents } = definitionsOf(allRoutes);
const paths = [...new Set(allRoutes.map(({ path }) => path))];
const texts = new Map(paths.map((path) => [path, compactSchema(allRoutes, components, { path })]));

type Fields = Record<string, boolean>;

/** Returns the names of the fields of a schema, each with whether it is required. */
function fieldsOf(schema: JsonSchema | undefined): Fields {
	const named = schema?.$ref === undefined ? schema : definitions[String(schema.$ref).split('/').at(-1)!];
	const required = (named?.required ?? []) as string[];
	return Object.fromEntries(
		Object.keys((named?.properties ?? {}) as object).map((name) => [name, required.includes(name)]),
	);
}

/**
 * Returns the fields that the lines of a text list, and whether each is required. A line has `name?: type`, or
 * `...Name` for the fields of a named record.
 */
function fieldsIn(lines: readonly string[]): Fields {
	const fields: Fields = {};
	for (const line of lines) {
		const [, base, omission = ''] = /^\.\.\.(\w+)(?: without ([\w ]+))?/.exec(line) ?? [];
		const omittedNames = omission.split(' ');
		if (base !== undefined)
			for (const [name, required] of Object.entries(fieldsOf(definitions[base])))
				if (!omittedNames.includes(name)) fields[name] = required;
		const [, name, optional] = /^(\w+)(\??): /.exec(line) ?? [];
		if (name !== undefined) fields[name] = optional === '';
	}
	return fields;
}

/** Returns the lines below a title of a route's text. */
function sectionOf(lines: readonly string[], title: string): readonly string[] {
	const from = lines.findIndex((line) => line.startsWith(`${title}:`));
	if (from < 0) return [];
	const end = lines.findIndex((line, at) => at > from && /^(?:[A-Z]+|a\?):/.test(line));
	return lines.slice(from + 1, end);
}

describe('the compact schema', () => {
	test('stays within its budgets', () => {
		expect(bytesOf(compactSchema(allRoutes, components))).toBeLessThanOrEqual(COMPACT_LIST_BYTES);
		expect([COMPACT_LIST_BYTES, COMPACT_BYTES]).toEqual([12 * KB, 3 * KB]);
		const budgets: Record<string, number> = {
			'/spawn': 4 * KB,
			'/rule/create': 6 * KB,
			'/scenario': 6 * KB,
		};
		const excess = [...texts].filter(([path, text]) => bytesOf(text) > (budgets[path] ?? 3 * KB));
		expect(excess.map(([path, text]) => `${path} ${bytesOf(text)}`)).toEqual([]);
	});

	test('is ASCII, so clients need no charset', () => {
		const nonAscii = [...texts.values(), compactSchema(allRoutes, components)].flatMap(
			(text) => text.match(/[^\n -~]/g) ?? [],
		);
		expect(nonAscii).toEqual([]);
	});

	test('is cut at the end of a sentence, and says where the words of actions are', () => {
		expect(texts.get('/peek')).not.toMatch(/^(.*[.:] )?Limits$/m);
		const [, ...bodyLines] = sectionOf(texts.get('/observe')!.split('\n'), 'BODY');
		expect(bodyLines.filter((line) => line.endsWith('...'))).toEqual([]);
		expect(texts.get('/input/press')).toContain('GET /input/list');
	});

	test('lists every route', () => {
		const lines = compactSchema(allRoutes, components).split('\n');
		const listedRoutes = lines.map((line) => line.split(' # ')[0]);
		expect(listedRoutes).toEqual(
			expect.arrayContaining(allRoutes.map(({ method, path }) => `${method} ${path}`)),
		);
	});

	test('has every field that can be sent, required or not as declared', () => {
		for (const { method, path, params, query, body } of documents) {
			const heading = `${method} ${path}`;
			const parts = texts.get(path)!.split('\n\n');
			const lines = parts.find((part) => part.startsWith(`${heading} #`))!.split('\n');
			for (const [title, schema] of Object.entries({ PATH: params, QUERY: query, BODY: body }))
				expect(fieldsIn(sectionOf(lines, title)), `${heading}: ${title}`).toEqual(fieldsOf(schema));
		}
		expect(texts.get('/level/load')).toContain('BODY: {path: text}|{level: Level}\n');
	});

	test('of /rule/create has all conditions and all actions with their fields', () => {
		const lines = texts.get('/rule/create')!.split('\n');
		const words = lines.flatMap((line) => /^ {2}([\w|]+)(?::|$)/.exec(line)?.[1]?.split('|') ?? []);
		expect(words).toEqual(
			expect.arrayContaining([...CONDITIONS.map(wordOf), ...ACTIONS.map(({ kind }) => kind)]),
		);
		expect(lines.find((line) => line.startsWith('  damage:'))).toContain(
			'target: Target, amount: number 0.. HP, category?: physical|magical|pure',
		);
	});

	test('describes each type that it refers to, or lists it among the other types', () => {
		const unknown = [...texts].flatMap(([path, text]) => {
			const knownNames = new Set(
				[...text.matchAll(/^(\w+) = /gm), ...text.matchAll(/(?<=^Other types:.*)\w+/gm)].map(
					([, typeName]) => typeName,
				),
			);
			const otherTypes = /^Other types: (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
			const usedTypes = [...text.matchAll(/^\w+\??: \[?([A-Z]\w+)\b/gm)].map(([, name]) => name!);
			return usedTypes
				.filter((name) => name in definitions && !knownNames.has(name) && !otherTypes.includes(name))
				.map((name) => `${path}: ${name}`);
		});
		expect(unknown).toEqual([]);
	});
});

describe('over the wire', () => {
	let testEngine: Awaited<ReturnType<typeof startEngine>>;
	beforeAll(async () => {
		testEngine = await startEngine();
	});
	afterAll(() => testEngine.engine.close());

	test('is text for clients that accept any type, and JSON otherwise', async () => {
		const text = compactSchema(allRoutes, components, { path: '/spawn' });
		const raw = await testEngine.engine.handle({
			method: 'GET',
			path: '/schema',
			query: 'form=compact&path=/spawn',
			headers: { accept: '*/*' },
			body: new Uint8Array(0),
		});
		expect(raw.headers['content-type']).toBe('text/plain');
		expect(new TextDecoder().decode(raw.body)).toBe(`${text}\n`);
		expect(await testEngine.must('GET', '/schema?form=compact&path=/spawn')).toEqual({ ok: true, text });
		const requests = [{ method: 'GET', path: '/schema?form=compact&path=/spawn' }];
		const { results } = await testEngine.must('POST', '/batch', { requests });
		expect((results as Json[])[0]!.body).toEqual({ ok: true, text });
	});

	test('describes definitions and components, and refuses names that do not exist', async () => {
		const { text } = await testEngine.must('GET', '/schema?form=compact&definition=Light');
		expect(text).toMatch(/^kind\?: point\|spot\|sun = point # /m);
		const { text: collider } = await testEngine.must('GET', '/schema?form=compact&component=collider');
		expect(collider).toMatch(/^Collider # /);
		for (const [query, fix] of [
			['path=/spwan', 'Did you mean /spawn?'],
			['definition=Ligth', 'Did you mean "Light"?'],
			['component=Colider', 'Did you mean "Collider"?'],
		])
			expect((await testEngine.call('GET', `/schema?form=compact&${query}`)).body).toMatchObject({
				ok: false,
				fix,
			});
	});

	test('the status and refusals point to it', async () => {
		expect((await testEngine.must('GET', '/')).help).toContain('GET /schema?form=compact');
		expect((await testEngine.call('GET', '/zebra')).body.fix).toBe(
			'GET /schema?form=compact lists every route.',
		);
	});

	test.each([
		['spawn', 'route', 'POST /spawn'],
		['apply a status effect', 'action', 'apply_effect'],
		['enters zone', 'condition', 'enter'],
		['health', 'component', 'Health'],
		['attack range', 'field', 'combat_range of POST /spawn'],
		['stale handle', 'error', 'stale_handle'],
		['level up', 'event', 'level_up'],
		['door with a key', 'recipe', 'key-and-door'],
	])('the words "%s" find the %s %s', async (words, kind, name) => {
		const { found } = await testEngine.must('GET', `/schema?q=${encodeURIComponent(words)}`);
		expect(found).toContainEqual(expect.objectContaining({ kind, name }));
	});

	test('results name working calls, and unknown words find nothing', async () => {
		const { found } = await testEngine.must('GET', '/schema?q=health');
		for (const { read } of found as { read: string }[])
			if (read.startsWith('GET /schema'))
				expect((await testEngine.call('GET', read.slice('GET '.length))).status, read).toBe(200);
		expect(await testEngine.must('GET', '/schema?q=xyzzy')).toEqual({ ok: true, found: [], matched: 0 });
	});
});
