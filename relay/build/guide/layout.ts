/**
 * HTML around a page of the guide: header, list of pages, article, headings, and links to the next and previous page.
 * Owns: this HTML. All links are relative, so the guide works below any path. It contains no inline script or style.
 */

import type { GuidePage, GuideSection } from '../../guide/page.ts';
import { escapeHtml, type Heading, type RenderedPage } from './markdown.ts';

/** Addresses of the files that every page loads, relative to the folder of the guide. */
export interface GuideAssets {
	readonly script: string;
	readonly style: string;
}

interface PageParts {
	readonly page: GuidePage;
	readonly rendered: RenderedPage;
	readonly sections: readonly GuideSection[];
	readonly previous: GuidePage | undefined;
	readonly next: GuidePage | undefined;
	readonly assets: GuideAssets;
}

const ICON =
	"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='none' stroke='%23dcb872' stroke-width='2'%3E%3Crect width='32' height='32' rx='6' fill='%230c111a' stroke='none'/%3E%3Ccircle cx='16' cy='16' r='11'/%3E%3Ccircle cx='16' cy='16' r='3' fill='%23dcb872'/%3E%3Ccircle cx='24' cy='8.500' r='3' fill='%23dcb872' stroke='none'/%3E%3C/svg%3E";

const EMBLEM =
	'<svg class="emblem" viewBox="-14 -14 28 28" aria-hidden="true"><circle r="10.500"/><circle r="6"/><path d="M0-13.200v2M0 11.200v2M-13.200 0h2M11.200 0h2"/><circle class="full" r="2.200"/><circle class="full" cx="7.400" cy="-7.400" r="1.700"/><circle class="full" cx="-6" cy="0" r="1.200"/></svg>';

export const fileOf = ({ name }: GuidePage): string => `${name}.html`;

function linkTo(page: GuidePage, current: GuidePage): string {
	const mark = page.name === current.name ? ' aria-current="page"' : '';
	return `<a href="${fileOf(page)}"${mark}>${escapeHtml(page.group?.label ?? page.title)}</a>`;
}

function listHtml(pages: readonly GuidePage[], current: GuidePage): string {
	let html = '';
	for (let i = 0; i < pages.length; ) {
		const group = pages[i]!.group?.title;
		const nextGroup = pages.findIndex((page, j) => j > i && page.group?.title !== group);
		const end = group === undefined ? i + 1 : nextGroup < 0 ? pages.length : nextGroup;
		const items = pages
			.slice(i, end)
			.map((page) => `<li>${linkTo(page, current)}</li>`)
			.join('');
		const isOpen = pages.slice(i, end).some(({ name }) => name === current.name);
		html +=
			group === undefined
				? items
				: `<li><details${isOpen ? ' open' : ''}><summary>${escapeHtml(group)}</summary><ul>${items}</ul></details></li>`;
		i = end;
	}
	return `<ul>${html}</ul>`;
}

function contentsHtml(sections: readonly GuideSection[], current: GuidePage): string {
	return sections
		.map(({ title, pages }) => `<h2 class="caps">${escapeHtml(title)}</h2>${listHtml(pages, current)}`)
		.join('\n');
}

function outlineHtml(headings: readonly Heading[]): string {
	const topHeadings = headings.filter(({ depth }) => depth === 2);
	if (topHeadings.length < 2) return '';
	const items = topHeadings
		.map(({ text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`)
		.join('');
	return `<nav class="outline" aria-label="On this page"><h2 class="caps">On this page</h2><ul>${items}</ul></nav>`;
}

function turnLink(rel: 'prev' | 'next', page: GuidePage | undefined): string {
	if (page === undefined) return '<span></span>';
	const label = rel === 'next' ? 'Next' : 'Back';
	return `<a class="${rel}" rel="${rel}" href="${fileOf(page)}"><small>${label}</small>${escapeHtml(page.title)}</a>`;
}

/** Returns the whole HTML of a page. */
export function pageHtml({ page, rendered, sections, previous, next, assets }: PageParts): string {
	const isIndex = page.name === 'index';
	const section = sections.find(({ pages }) => pages.some(({ name }) => name === page.name));
	const title = isIndex ? page.title : `${page.title} · Orrery guide`;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="description" content="${escapeHtml(page.summary.replaceAll('`', ''))}">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${ICON}">
<link rel="stylesheet" href="${assets.style}">
<link rel="alternate" type="text/markdown" href="${page.name}.md">
<script src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#article">Skip to the text</a>
<header class="top">
<button type="button" class="menu button quiet square" popovertarget="contents" aria-label="All pages"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 5.500h14M3 10h14M3 14.500h14"/></svg></button>
<a class="home" href="index.html"${isIndex ? ' aria-current="page"' : ''}>${EMBLEM}<span>Orrery guide</span></a>
<search class="search field" hidden>
<input type="search" role="combobox" aria-label="Search the guide" aria-controls="found" aria-expanded="false" aria-autocomplete="list" placeholder="Search" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<ul id="found" class="popup" role="listbox" aria-label="Pages found" hidden></ul>
</search>
<nav class="others" aria-label="Other pages"><a href="../docs/">API</a><a href="../">Open the world</a></nav>
<button type="button" class="theme button quiet square" aria-label="Dark or light" hidden><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.500"/><path class="full" d="M10 3.500a6.500 6.500 0 0 1 0 13z"/></svg></button>
</header>
<div class="columns">
<nav class="contents" id="contents" popover aria-label="Guide">
${contentsHtml(sections, page)}
</nav>
<main id="article" tabindex="-1">
<article>
${section === undefined ? '' : `<p class="section caps">${escapeHtml(section.title)}</p>\n`}${rendered.html}</article>
<footer>
<nav class="turn" aria-label="Next and back">${turnLink('prev', previous)}${turnLink('next', next)}</nav>
<p><a href="${page.name}.md">This page as Markdown</a></p>
</footer>
</main>
${outlineHtml(rendered.headings)}
</div>
</body>
</html>
`;
}
