/**
 * Files of the guide: pages as HTML and Markdown, the search index, and the texts for language models.
 * Owns: the list of files, and the targets of links. A link without a target fails the build.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../../shared/contract/errors.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { SearchEntry } from '../../../web/guide/search.ts';
import { GUIDE_FOLDER, readGuide } from '../../guide/guide.ts';
import { anchorOf, type GuidePage } from '../../guide/page.ts';
import { PAGES, routeHeading, tagPage } from '../../guide/reference/declarations.ts';
import { guideTexts } from '../../guide/texts.ts';
import { fileOf, type GuideAssets, pageHtml } from './layout.ts';
import { type LinkTargets, type RenderedPage, renderMarkdown } from './markdown.ts';

/** A built script or style. */
export interface AssetFile {
	/** Path below the built folder. */
	readonly path: string;
	readonly content: string;
}

/** Maximum characters of a passage in the search index, without the first cells of its tables. */
const MAX_PASSAGE = 300;

/** Addresses of routes in the reference, by heading such as `POST /spawn`. */
const ROUTE_ADDRESSES = new Map(
	(routes as readonly Route[]).map((route) => [
		routeHeading(route),
		`${tagPage(route.tag)}.html#${anchorOf(routeHeading(route))}`,
	]),
);

/** Returns the link targets for a page. `names`: the names of all pages of the guide. */
function targetsOf(page: GuidePage, names: ReadonlySet<string>): LinkTargets {
	const missingTarget = (href: string): Error =>
		new Error(`The page ${page.name}.md of the guide links to ${href}, which does not exist.`);
	return {
		address(href) {
			if (/^(https?:|#)/.test(href)) return href;
			const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
			if (name !== undefined && names.has(name)) return `${name}.html${anchor}`;
			if (!/^[\w./-]+$/.test(href) || !existsSync(join(GUIDE_FOLDER, href))) throw missingTarget(href);
			return href;
		},
		// An error code of one word, such as `busy`, gets no link, because it can also be an ordinary word.
		explanationOf: (code) =>
			ROUTE_ADDRESSES.get(code.replace(/\?.*$/, '')) ??
			(code.includes('_') && code in ERRORS ? `${PAGES.errors}.html#${anchorOf(code)}` : undefined),
		pictureFile(href) {
			const file = join(GUIDE_FOLDER, href);
			if (!existsSync(file)) throw missingTarget(href);
			return file;
		},
	};
}

/** Returns the content of each file of the guide, by its path below the built folder. Throws if a link has no target. */
export function guideFiles(assets: readonly AssetFile[], guide = readGuide()): ReadonlyMap<string, string> {
	const pages = [guide.index, ...guide.pages];
	const names = new Set(pages.map(({ name }) => name));
	const rendered = new Map(
		pages.map((page) => [page, renderMarkdown(page.markdown(), targetsOf(page, names))]),
	);
	const addresses = addressesOf(assets);
	const files = new Map<string, string>();
	for (const { path, content } of assets) files.set(path, content);
	for (const [i, page] of pages.entries()) {
		const [previous, next] = [pages[i - 1], pages[i + 1]];
		const parts = { page, rendered: rendered.get(page)!, sections: guide.sections, previous, next };
		files.set(`guide/${fileOf(page)}`, pageHtml({ ...parts, assets: addresses }));
	}
	files.set(
		'guide/search.json',
		JSON.stringify(pages.flatMap((page) => entriesOf(page, rendered.get(page)!))),
	);
	for (const [path, text] of guideTexts(guide)) files.set(path, text());
	files.set('guide/offline.json', guideOfflineList(files, rendered.values()));
	return files;
}

function addressesOf(assets: readonly AssetFile[]): GuideAssets {
	const address = (ending: string) => `../${assets.find(({ path }) => path.endsWith(ending))!.path}`;
	return { script: address('.js'), style: address('.css') };
}

/** Returns the entries of a page in `search.json`, as `web/guide/search.ts` reads them. */
function entriesOf(page: GuidePage, { passages }: RenderedPage): SearchEntry[] {
	return passages.map(({ heading, anchor, text, rowNames }) => {
		const words = text.slice(0, MAX_PASSAGE);
		const otherRows = rowNames.filter((row) => !words.includes(row));
		return [fileOf(page), anchor, page.title, heading, [words, ...new Set(otherRows)].join(' ')];
	});
}

/** Returns the JSON list of files that the offline guide needs, relative to its folder, and their version. */
function guideOfflineList(files: ReadonlyMap<string, string>, pages: Iterable<RenderedPage>): string {
	const pictures = [...pages].flatMap(({ html }) =>
		[...html.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src!),
	);
	const otherFiles = [...files.keys()].filter((path) => !path.endsWith('.md') && !path.endsWith('.txt'));
	const hash = createHash('sha256');
	for (const [path, content] of files) hash.update(`${path}\n${content}\n`);
	return JSON.stringify({
		version: hash.digest('hex').slice(0, 16),
		files: [
			...otherFiles.map((path) => (path.startsWith('guide/') ? path.slice('guide/'.length) : `../${path}`)),
			...new Set(pictures),
		],
	});
}
