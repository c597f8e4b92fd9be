/**
 * Renders Markdown as HTML.
 * Owns: the HTML of headings, links, pictures, tables and code. Raw HTML in a page is escaped, so it appears as text.
 */

import { readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { anchorOf } from '../../guide/page.ts';

export interface Heading {
	readonly depth: number;
	readonly text: string;
	readonly anchor: string;
}

/** A heading with the text below it, for the search. */
export interface Passage {
	/** Empty for the text before the first heading below the title. */
	readonly heading: string;
	readonly anchor: string;
	readonly text: string;
	/** First cells of table rows that are code, such as names of fields. */
	readonly rowNames: readonly string[];
}

export interface RenderedPage {
	readonly html: string;
	readonly headings: readonly Heading[];
	readonly passages: readonly Passage[];
}

/** Resolves links and pictures of a page. */
export interface LinkTargets {
	/** Returns the address of a link, such as `forks.html` for `forks.md`. Throws if its target does not exist. */
	address(href: string): string;
	/** Returns the address that explains a code word such as `GET /schema`; undefined if none does. */
	explanationOf(code: string): string | undefined;
	/** Returns the path of a picture's file. Throws if it does not exist. */
	pictureFile(href: string): string;
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Returns a text with the special characters of HTML escaped. */
export const escapeHtml = (text: string): string =>
	text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Returns the size attributes of a PNG from its first chunk. Other pictures get none, so they are as wide as the text. */
function pngSizeAttributes(file: string): string {
	const bytes = readFileSync(file);
	if (bytes.toString('latin1', 1, 4) !== 'PNG') return '';
	return ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"`;
}

/** Returns the text of Markdown without its markup. */
const plainText = (raw: string): string =>
	raw
		.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll(/^\|[ |:-]+\|$/gm, ' ')
		.replaceAll(/[`*|\\]|^#+ /gm, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();

const LANGUAGES: Readonly<Record<string, string>> = {
	sh: 'Shell',
	json: 'JSON',
	ts: 'TypeScript',
	python: 'Python',
	lua: 'Lua',
};

/** Renders one page. Throws if a link or picture has no target. */
export function renderMarkdown(markdown: string, targets: LinkTargets): RenderedPage {
	const headings: Heading[] = [];
	const anchors = new Map<string, number>();
	let isInLink = false;
	const marked = new Marked({
		gfm: true,
		renderer: {
			html: ({ text }) => escapeHtml(text),
			heading({ depth, tokens, text }) {
				const words = plainText(text);
				const count = anchors.get(words) ?? 0;
				anchors.set(words, count + 1);
				const anchor = `${anchorOf(words)}${count === 0 ? '' : `-${count + 1}`}`;
				headings.push({ depth, text: words, anchor });
				isInLink = true;
				const inner = this.parser.parseInline(tokens);
				isInLink = false;
				if (depth === 1) return `<h1>${inner}</h1>\n`;
				return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(words)}">#</a></h${depth}>\n`;
			},
			link({ href, tokens }) {
				const wasInLink = isInLink;
				isInLink = true;
				const inner = this.parser.parseInline(tokens);
				isInLink = wasInLink;
				return `<a href="${escapeHtml(targets.address(href))}">${inner}</a>`;
			},
			image: ({ href, text }) =>
				`<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}"${pngSizeAttributes(targets.pictureFile(href))} loading="lazy">`,
			codespan({ text }) {
				const inner = `<code>${escapeHtml(text)}</code>`;
				const address = isInLink ? undefined : targets.explanationOf(text);
				return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
			},
			code: ({ text, lang = '' }) =>
				`<figure class="code" aria-label="${LANGUAGES[lang] ?? 'Code'}"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`,
			table(token) {
				// Focusable, so that keys can scroll it.
				const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
					`<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
				return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
			},
		},
	});
	const html = marked.parse(markdown, { async: false });
	return { html, headings, passages: passagesOf(markdown, headings) };
}

function passagesOf(markdown: string, headings: readonly Heading[]): Passage[] {
	// A line in a code block may begin with #, but is not a heading.
	const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, ' '));
	const parts = text.split(/^#{1,6} .*$/m).slice(1);
	return headings.map(({ depth, text: heading, anchor }, i) => ({
		heading: depth === 1 ? '' : heading,
		anchor: depth === 1 ? '' : anchor,
		text: plainText(parts[i] ?? ''),
		rowNames: [...(parts[i] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!),
	}));
}
