/**
 * Texts of the guide: each page as Markdown, and the lists for language models.
 * Owns: their addresses, and the answers of a clone whose page was not built.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { ISOLATION } from '../static-page.ts';
import { type Guide, readGuide } from './guide.ts';
import type { GuidePage } from './page.ts';

/** Returns every text by its path on the server. Generated pages are generated when they are read. */
export function guideTexts(guide: Guide): ReadonlyMap<string, () => string> {
	const texts = new Map<string, () => string>();
	for (const page of [guide.index, ...guide.pages]) texts.set(`guide/${page.name}.md`, () => page.markdown());
	texts.set('llms.txt', () => shortText(guide));
	texts.set('llms-full.txt', () => fullText(guide));
	return texts;
}

/**
 * Answers a GET or HEAD for a text of the guide from the sources. The address of a page answers with its Markdown, so that
 * a clone needs no build.
 */
export function sendGuideText({ method }: IncomingMessage, response: ServerResponse, path: string): void {
	const file = (path.endsWith('/') ? `${path}index` : path).slice(1);
	const text = guideTexts(readGuide()).get(
		/\.(md|txt)$/.test(file) ? file : `${file.replace(/\.html$/, '')}.md`,
	);
	if (text === undefined) {
		const message = `The guide has no page at ${path}.`;
		const fix = 'GET /guide/index.md lists the pages.';
		const { status, headers, body } = errorResponse(new ApiError('no_such_route', message, { fix }));
		response.writeHead(status, { ...ISOLATION, ...headers, 'cache-control': 'no-store' }).end(body);
		return;
	}
	const bytes = Buffer.from(text());
	response.writeHead(200, {
		...ISOLATION,
		// Some browsers download Markdown, so the address of a page has plain text.
		'content-type': `text/${path.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`,
		'content-length': bytes.length,
		'cache-control': 'no-cache',
	});
	response.end(method === 'HEAD' ? undefined : bytes);
}

/** Returns `llms.txt` in the format of llmstxt.org. */
function shortText({ index, sections }: Guide): string {
	const item = ({ name, title, summary }: GuidePage) =>
		`- [${title}](guide/${name}.md)${summary === '' ? '' : `: ${summary}`}`;
	return [
		'# Orrery',
		'',
		`> ${index.summary}. You drive it through one typed JSON-over-HTTP API.`,
		'',
		'All pages in one file: [llms-full.txt](llms-full.txt). A running server describes itself: GET /schema and GET /openapi.json.',
		...sections.flatMap(({ title, pages }) => ['', `## ${title}`, '', ...pages.map(item)]),
		'',
	].join('\n');
}

/** Returns all pages in one text. */
function fullText({ index, pages }: Guide): string {
	return [index, ...pages].map((page) => `${page.markdown().trimEnd()}\n`).join('\n---\n\n');
}
