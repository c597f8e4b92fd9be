/**
 * The guide: the pages in `public/guide` in the order of its index, and the reference, which is generated from the
 * declarations.
 * Owns: the list of pages. Never: renders them.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLIC } from '../folders.ts';
import type { GuidePage, GuideSection } from './page.ts';
import { referencePages } from './reference/index.ts';

export const GUIDE_FOLDER = join(PUBLIC, 'guide');

/** Title of the index section that lists the generated pages. */
const REFERENCE = 'Reference';

export interface Guide {
	/** The index page, with links to the generated pages. */
	readonly index: GuidePage;
	readonly sections: readonly GuideSection[];
	/** All pages except the index, in reading order. */
	readonly pages: readonly GuidePage[];
}

/** Reads the guide. Throws if the index and the folder do not have the same pages. */
export function readGuide(folder = GUIDE_FOLDER): Guide {
	const readPage = (name: string) => readFileSync(join(folder, `${name}.md`), 'utf8');
	const source = readPage('index');
	const reference = referencePages();
	const sections = source
		.split(/^## /m)
		.slice(1)
		.map((part): GuideSection => {
			const title = part.slice(0, part.indexOf('\n')).trim();
			if (title === REFERENCE) return { title, pages: reference };
			const links = part.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)(?:: ([^\n]+))?/g);
			return { title, pages: [...links].map(([, link, name, note]) => pageOf(name!, link!, note, readPage)) };
		});
	const pages = sections.flatMap((section) => section.pages);
	const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'index.md');
	for (const file of files)
		if (!pages.some(({ name }) => `${name}.md` === file))
			throw new Error(`The page ${file} is not in the index of the guide. Add it to public/guide/index.md.`);
	const names = new Set<string>();
	for (const { name } of pages) {
		if (names.has(name)) throw new Error(`The guide has two pages named ${name}. Rename one.`);
		names.add(name);
	}
	if (!sections.some(({ title }) => title === REFERENCE))
		throw new Error(`The index of the guide has no section "${REFERENCE}". Add it to public/guide/index.md.`);
	return { index: indexPage(source, reference), sections, pages };
}

/** Returns the first sentence of the first paragraph, without the full stop. */
function firstSentence(markdown: string): string {
	const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
	const paragraph = /^(?!#|!\[|\||\d+\. |- )(\S[\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(text)?.[1] ?? '';
	const line = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
	return (/^.*?[.:](?= |$)(?=(?:[^`]*`[^`]*`)*[^`]*$)/.exec(line)?.[0].slice(0, -1) ?? line).trim();
}

function pageOf(
	name: string,
	link: string,
	note: string | undefined,
	text: (name: string) => string,
): GuidePage {
	const markdown = text(name);
	const title = /^# (.+)$/m.exec(markdown)?.[1] ?? link;
	return { name, title, summary: note ?? firstSentence(markdown), markdown: () => markdown };
}

function indexPage(source: string, reference: readonly GuidePage[]): GuidePage {
	const links = reference
		.filter(({ group }) => group === undefined)
		.map(({ name, title, summary }) => `- [${title}](${name}.md): ${summary}`);
	const [textBefore = '', textAfter = ''] = source.split(new RegExp(`^## ${REFERENCE}$`, 'm'));
	const next = textAfter.indexOf('\n## ');
	const sectionText = next < 0 ? textAfter : textAfter.slice(0, next);
	const rest = next < 0 ? '' : textAfter.slice(next);
	const markdown = `${textBefore}## ${REFERENCE}\n${sectionText.trimEnd()}\n\n${links.join('\n')}\n${rest}`;
	return {
		name: 'index',
		title: /^# (.+)$/m.exec(source)?.[1] ?? 'Guide',
		summary: firstSentence(source),
		markdown: () => markdown,
	};
}

/** Returns the section of a page with a heading, including its subsections; undefined if there is none. */
export function sectionOf(markdown: string, heading: string): string | undefined {
	const lines = markdown.split('\n');
	const start = lines.findIndex(
		(line) => /^#{2,3} /.test(line) && line.replace(/^#+ /, '').toLowerCase() === heading.toLowerCase(),
	);
	if (start < 0) return undefined;
	const level = /^#+/.exec(lines[start]!)![0].length;
	const length = lines.slice(start + 1).findIndex((line) => {
		const marks = /^(#+) /.exec(line)?.[1];
		return marks !== undefined && marks.length <= level;
	});
	return `${lines
		.slice(start, length < 0 ? undefined : start + 1 + length)
		.join('\n')
		.trimEnd()}\n`;
}
