/** The built guide: pages, links, search and texts for models. Owns: the cases of relay/build/guide, relay/guide and web/guide/search.ts. */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { guideFiles } from '../../../relay/build/guide/files.ts';
import { renderMarkdown } from '../../../relay/build/guide/markdown.ts';
import { pageOnDemand } from '../../../relay/build.ts';
import { type Guide, readGuide } from '../../../relay/guide/guide.ts';
import { anchorOf } from '../../../relay/guide/page.ts';
import { ownTypes, PAGES, tagPage } from '../../../relay/guide/reference/declarations.ts';
import { components } from '../../../shared/components/index.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { SCRIPT_FUNCTIONS } from '../../../shared/documents/script-functions.ts';
import { events } from '../../../shared/events/index.ts';
import { routes } from '../../../shared/routes/index.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { CONDITIONS } from '../../../shared/verbs/conditions/index.ts';
import { TARGETS } from '../../../shared/verbs/targets/index.ts';
import { guideEntries } from '../../../web/api/schema-search.ts';
import { findEntries, type SearchEntry } from '../../../web/guide/search.ts';

const PUBLIC = resolve(import.meta.dirname, '../../../public');

let guide: Guide;
let files: ReadonlyMap<string, string>;
let html: ReadonlyMap<string, string>;

beforeAll(() => {
	guide = readGuide();
	const assets = ['js', 'css'].map((ending) => ({ path: `assets/guide-1.${ending}`, content: '' }));
	files = guideFiles(assets, guide);
	html = new Map([...files].filter(([path]) => path.endsWith('.html')));
});

const attributes = (text: string, name: string): string[] =>
	[...text.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value!);

const idsOf = (page: string): ReadonlySet<string> =>
	new Set(attributes(html.get(`guide/${page}.html`)!, 'id'));

test('every link and picture leads to an existing file and anchor, from any folder', () => {
	const ids = new Map([...html].map(([path, text]) => [path, new Set(attributes(text, 'id'))]));
	const broken: string[] = [];
	for (const [path, text] of html)
		for (const address of [...attributes(text, 'href'), ...attributes(text, 'src')]) {
			// The world and the API reference are other pages.
			if (/^(https:|data:|\.\.\/(docs\/)?$)/.test(address)) continue;
			const { pathname, hash } = new URL(address, `http://site/below/${path}`);
			const file = pathname.replace('/below/', '');
			const isThere = files.has(file) || existsSync(join(PUBLIC, file));
			const hasAnchor = hash === '' || ids.get(file)?.has(hash.slice(1));
			if (address.startsWith('/') || !isThere || !hasAnchor) broken.push(`${path}: ${address}`);
		}
	expect(broken).toEqual([]);
});

test('"next" leads through every page once, "back" leads back, and the list has each page', () => {
	const linkOf = (page: string, rel: string) =>
		new RegExp(`rel="${rel}" href="([\\w-]+)\\.html"`).exec(html.get(`guide/${page}.html`)!)?.[1];
	const seen: string[] = [];
	for (let page: string | undefined = 'index'; page !== undefined; page = linkOf(page, 'next')) {
		expect(linkOf(page, 'prev')).toBe(seen.at(-1));
		seen.push(page);
	}
	expect(seen).toEqual(['index', ...guide.pages.map(({ name }) => name)]);
	expect(html.size).toBe(seen.length);
	const listed = attributes(
		html.get('guide/index.html')!.split('<nav class="contents"')[1]!.split('</nav>')[0]!,
		'href',
	);
	expect(listed).toEqual(guide.pages.map(({ name }) => `${name}.html`));
});

test('the reference lists every declaration', () => {
	for (const { method, path, tag } of routes)
		expect(idsOf(tagPage(tag)), path).toContain(anchorOf(`${method} ${path}`));
	const declared = [
		[PAGES.components, components.map(({ title }) => title)],
		[PAGES.conditions, CONDITIONS.map(({ name }) => name)],
		[PAGES.actions, ACTIONS.map(({ kind }) => kind)],
		[PAGES.events, events.map(({ kind }) => kind)],
		[PAGES.errors, Object.keys(ERRORS)],
		[PAGES.types, ownTypes()],
	] as const;
	for (const [page, names] of declared)
		expect([...idsOf(page)], page).toEqual(expect.arrayContaining(names.map(anchorOf)));
	const inCells = [
		[PAGES.actions, TARGETS.map(({ kind }) => kind)],
		[PAGES.lua, SCRIPT_FUNCTIONS.map(({ name }) => name)],
	] as const;
	for (const [page, names] of inCells)
		for (const name of names)
			expect(html.get(`guide/${page}.html`)).toMatch(new RegExp(`<td><code>${name}\\W`));
	const spawn = files.get(`guide/${tagPage('World')}.md`);
	expect(spawn).toContain('| `combat_range` | number | Attack range; default 1.5 (m) (0 to 10000) |');
});

test('raw HTML and script links never reach a page', () => {
	const targets = {
		address: (href: string) => href,
		explanationOf: () => undefined,
		pictureFile: () => '',
	};
	const page = renderMarkdown(
		'# A <b>b</b>\n\n<script>x</script>\n\na <img src=x onerror=y> `<i>`\n',
		targets,
	);
	expect(page.html).not.toMatch(/<(b|script|img|i)\b/);
	expect(page.html).toContain('&lt;script&gt;x&lt;/script&gt;');
	for (const [path, text] of html) {
		expect(text.match(/<script\b[^>]*>/g), path).toEqual(['<script src="../assets/guide-1.js">']);
		expect(text, path).not.toMatch(/<[a-z][^>]* (on\w+|style)=|javascript:/);
		expect(text.match(/<h1\b/g), path).toHaveLength(1);
	}
});

test('a server without built pages answers for every page that a search recommends', async () => {
	const page = await pageOnDemand();
	const server = createServer((request, response) => {
		if (!page.serve(request, response, request.url!)) response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const index = readFileSync(join(PUBLIC, 'guide/index.md'), 'utf8');
	const listed = guideEntries(index).map(({ read }) => read.replace('GET ', ''));
	const declared = [
		'/guide',
		'/guide/',
		'/guide/index.md',
		'/llms.txt',
		'/llms-full.txt',
		'/guide/first-world',
	];
	for (const path of new Set([...listed, ...guide.pages.map(({ name }) => `/guide/${name}.md`), ...declared]))
		expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200]);
	const wrong = await fetch(`${baseUrl}/guide/no-page.md`);
	expect([wrong.status, await wrong.json()]).toMatchObject([
		404,
		{ fix: 'GET /guide/index.md lists the pages.' },
	]);
	server.close();
});

test('each page has Markdown, a line in llms.txt and text in llms-full.txt, for models', () => {
	const [short, full] = [files.get('llms.txt')!, files.get('llms-full.txt')!];
	expect(short).toMatch(/^# Orrery\n\n> .+\n/);
	for (const page of guide.pages) {
		expect(files.get(`guide/${page.name}.md`)).toBe(page.markdown());
		expect(short).toContain(`- [${page.title}](guide/${page.name}.md)`);
		expect(full).toContain(page.markdown().trimEnd());
	}
	expect(full.length).toBeLessThan(1_500_000);
});

test('the search finds pages, routes, codes and fields, the best first', () => {
	const entries = JSON.parse(files.get('guide/search.json')!) as SearchEntry[];
	const first = (query: string) =>
		findEntries(entries, query, 3).map(([file, anchor]) => `${file}#${anchor}`)[0];
	expect(first('post spawn')).toBe('routes-world.html#post-spawn');
	expect(first('stale_handle')).toBe('reference-errors.html#stale_handle');
	expect(first('forks')).toBe('forks.html#');
	expect(first('glossary')).toBe('glossary.html#');
	expect(first('combat_detect_range')).toMatch(/^(routes-world|reference-components|reference-types)\.html#/);
	expect(findEntries(entries, 'nosuchword', 3)).toEqual([]);
});
