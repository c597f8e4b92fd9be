/**
 * `orrery explain`: prints a page of the guide, or the section of its reference about a name.
 * Owns: the search for a topic. Never: explains a topic in its own words.
 */

import { components } from '../../shared/components/index.ts';
import { ERRORS } from '../../shared/contract/errors.ts';
import { nearest } from '../../shared/contract/nearest.ts';
import { events } from '../../shared/events/index.ts';
import { ACTIONS } from '../../shared/verbs/actions/index.ts';
import { CONDITIONS } from '../../shared/verbs/conditions/index.ts';
import { type Guide, readGuide, sectionOf } from '../guide/guide.ts';
import type { GuidePage } from '../guide/page.ts';
import { PAGES, routeHeading, tagPage } from '../guide/reference/declarations.ts';
import type { CliCommand } from './commands.ts';
import { UsageError } from './terminal.ts';

/** A heading of a reference page, with the names by which users may ask for it. */
interface TopicEntry {
	readonly page: string;
	readonly heading: string;
	readonly names: readonly string[];
}

/** Returns the text of a topic, or the list of topics without one. Throws `UsageError` if there is no such topic. */
export function explain(commands: readonly CliCommand[], topic: string | undefined): string {
	const guide = readGuide();
	if (topic === undefined) return topicList(guide);
	const key = topic.toLowerCase().trim();
	const page = findPage(guide, key);
	if (page !== undefined) return removeLinks(page.markdown());
	const entries = [...declaredEntries(), ...routeEntries(commands, key)];
	const matches = entries.filter(({ names }) => names.includes(key));
	if (matches.length === 0) {
		const type = sectionOf(findPage(guide, PAGES.types)!.markdown(), topic.trim());
		if (type === undefined) throw unknownTopic(topic, guide, commands);
		return removeLinks(type);
	}
	return matches
		.map(
			({ page: name, heading }) =>
				sectionOf(guide.pages.find((page) => page.name === name)!.markdown(), heading)!,
		)
		.map(removeLinks)
		.join('\n');
}

/** Returns a page by its name. A page of the reference is also found by the last part of its name, such as `errors`. */
function findPage({ pages }: Guide, key: string): GuidePage | undefined {
	return pages.find(({ name }) => name === key) ?? pages.find(({ name }) => name === `reference-${key}`);
}

/** Returns the entries of all declarations except routes. */
function declaredEntries(): TopicEntry[] {
	const entryOn =
		(page: string) =>
		(name: string): TopicEntry => ({ page, heading: name, names: [name.toLowerCase()] });
	return [
		...components.map(({ name, title }) => ({
			page: PAGES.components,
			heading: title,
			names: [name, title.toLowerCase()],
		})),
		...Object.keys(ERRORS).map(entryOn(PAGES.errors)),
		...CONDITIONS.map(({ name }) => name).map(entryOn(PAGES.conditions)),
		...ACTIONS.map(({ kind }) => kind).map(entryOn(PAGES.actions)),
		...events.map(({ kind }) => kind).map(entryOn(PAGES.events)),
	];
}

/**
 * Returns the entries of the routes that `key` may name. Their names are the command, its group, the id, the path, and the
 * method with the path.
 */
function routeEntries(commands: readonly CliCommand[], key: string): TopicEntry[] {
	return commands
		.filter(({ words }) => /[/. ]/.test(key) || words[0] === key)
		.map(({ words, route }) => {
			const heading = routeHeading(route);
			const names = [words.join(' '), words[0]!, route.id, route.path, heading.toLowerCase()];
			return { page: tagPage(route.tag), heading, names };
		});
}

function topicList({ sections }: Guide): string {
	const item = ({ name, title }: GuidePage) => `- \`${name.replace(/^reference-/, '')}\`: ${title}`;
	return `${[
		'# Topics',
		...sections.flatMap(({ title, pages }) => ['', `## ${title}`, '', ...pages.map(item)]),
		'',
		'Also: a component (`orrery explain health`), an error code (`orrery explain stale_handle`), a condition, an action, an',
		'event, a command (`orrery explain "entity create"`) or a route (`orrery explain "POST /spawn"`).',
	].join('\n')}\n`;
}

function unknownTopic(topic: string, { pages }: Guide, commands: readonly CliCommand[]): UsageError {
	const topics = pages.map(({ name }) => name);
	const names = [
		...topics,
		...declaredEntries().flatMap((entry) => entry.names),
		...commands.map(({ words }) => words[0]!),
	];
	const near = nearest(topic, names);
	return new UsageError(
		`There is no topic "${topic}". ${near ? `Did you mean "${near}"?` : '"orrery explain" lists all topics.'}`,
	);
}

/**
 * Returns Markdown in which a link to another page is replaced by its text, because a terminal cannot follow it. Also removes
 * the backslash before `<`.
 */
const removeLinks = (markdown: string): string =>
	markdown.replaceAll(/(?<!!)\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1').replaceAll('\\<', '<');
