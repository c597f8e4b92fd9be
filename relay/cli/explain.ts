/**
 * `orrery explain`: short Markdown texts, made from the declarations wherever they say it.
 * Owns: the topics that need words of their own: quickstart, forks, digest, cli.
 */

import { components } from '../../shared/components/index.ts';
import { type Component, fieldSchema, readoutKey, readoutSchema } from '../../shared/contract/component.ts';
import { ERRORS } from '../../shared/contract/errors.ts';
import { type JsonSchema, jsonSchema } from '../../shared/contract/json-schema.ts';
import { nearest } from '../../shared/contract/nearest.ts';
import { type Example, TAGS } from '../../shared/contract/route.ts';
import { type Command, usageOf } from './commands.ts';
import { exampleLine } from './example-line.ts';
import {
	alternatives,
	descriptionOf,
	propertiesOf,
	requiredOf,
	syntaxOf,
	withoutNull,
} from './schema-value.ts';
import { UsageError } from './terminal.ts';

interface Topic {
	readonly name: string;
	readonly summary: string;
	text(): string;
}

const lines = (...parts: readonly string[]) => `${parts.join('\n')}\n`;
const shell = (...commands: readonly string[]) => ['```sh', ...commands, '```'].join('\n');
const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** The text of a topic; the list of topics without one. Throws `UsageError` for a topic that does not exist. */
export function explain(commands: readonly Command[], wanted: string | undefined): string {
	const topics = topicsOf(commands);
	if (wanted === undefined) {
		return lines(
			'# Topics',
			'',
			...topics.map(({ name, summary }) => `- \`${name}\`: ${summary}`),
			'',
			'Also: a component (`orrery explain health`), an error code (`orrery explain stale_handle`), a command',
			'(`orrery explain "entity create"`) or a route (`orrery explain "POST /spawn"`).',
		);
	}
	const key = wanted.toLowerCase().trim();
	const topic = topics.find(({ name }) => name === key);
	if (topic) return topic.text();
	const component = components.find(({ name, title }) => name === key || title.toLowerCase() === key);
	if (component) return componentText(component);
	const code = Object.keys(ERRORS).find((known) => known === key);
	if (code !== undefined) return errorText(code as keyof typeof ERRORS, commands);
	const named = commands.filter(
		({ words, route }) =>
			words.join(' ') === key ||
			words[0] === key ||
			route.id === key ||
			[route.path, `${route.method} ${route.path}`].some((text) => text.toLowerCase() === key),
	);
	if (named.length > 0) return named.map(routeText).join('\n');
	const known = [
		...topics.map(({ name }) => name),
		...components.map(({ name }) => name),
		...Object.keys(ERRORS),
		...commands.map(({ words }) => words[0]!),
	];
	const near = nearest(wanted, known);
	throw new UsageError(
		`There is no topic "${wanted}". ${near ? `Did you mean "${near}"?` : `Topics: ${topics.map(({ name }) => name).join(', ')}.`}`,
	);
}

function topicsOf(commands: readonly Command[]): Topic[] {
	return [
		{ name: 'quickstart', summary: 'A first world in five commands', text: quickstart },
		{ name: 'cli', summary: 'How values are written on the command line', text: commandLine },
		{ name: 'forks', summary: 'Trying things out on clones', text: () => forks(commands) },
		{ name: 'digest', summary: 'What equal digests prove, and what is in them', text: digest },
		{ name: 'components', summary: 'What entities can have', text: componentList },
		{ name: 'errors', summary: 'Every way a call can be refused', text: errorList },
		{ name: 'routes', summary: 'Every route, by tag', text: () => routeList(commands) },
		...Object.entries(TAGS).map(([tag, summary]) => ({
			name: slug(tag),
			summary: `Routes: ${summary}`,
			text: () => tagText(tag, summary, commands),
		})),
	].filter((topic, i, all) => all.findIndex(({ name }) => name === topic.name) === i);
}

function quickstart(): string {
	return lines(
		'# Quickstart',
		'',
		'Start the engine in one shell. It stays there until Ctrl-C.',
		'',
		shell('npx orrery start --headless'),
		'',
		'In another, build a floor and drop a ball on it. Time stands still until you step it.',
		'',
		shell(
			'npx orrery status',
			'npx orrery entity create --mesh cube --scale 20,1,20 --position 0,-0.5,0 --physics-body static --collider aabb:10,0.5,10',
			'npx orrery entity create --mesh sphere --color gold --position 0,5,0 --physics-body dynamic --collider sphere:0.5',
			'npx orrery sim step --ticks 120',
			'npx orrery entity get 1',
			'npx orrery screenshot -o ball.png',
		),
		'',
		'`orrery discover` lists all commands, `orrery <group> <verb> --help` explains one, `orrery doctor` says what is missing.',
	);
}

function commandLine(): string {
	return lines(
		'# The command line',
		'',
		'`orrery <group> <verb> [arguments] [flags]`. Each field of a route is a flag of the same name; ids, names and other',
		'plain words can also stand right after the command, in the order that `--help` shows.',
		'',
		'| what | written as |',
		'|---|---|',
		'| vector | `0,5,0`; negative ones too: `--position -5,1,0` |',
		'| collider | `aabb:hx,hy,hz`, `sphere:radius`, `capsule:radius,half_height`, `cylinder:radius,half_height` |',
		'| points | `0,0,0:5,0,0` |',
		'| list of words | `boss,blue`, or the flag several times |',
		'| switch | `--player`, `--no-player`, `--player=false` |',
		'| what has a short text, such as a condition | that text: `--when timer:5`; of a list, the flag several times |',
		'| anything else | JSON, or `@file` with JSON in it |',
		'| the whole body | `--body JSON`, `--body @file`, `--body -`; flags add to it |',
		'',
		'The answer is printed as JSON for reading; `--json` prints it as it came, on one line, for programs. `--world FORK` sends',
		'any command to a fork. `--dry-run` shows the body and sends nothing. Exit code 0: done; 1: refused or nothing answers;',
		'2: the command could not be understood.',
	);
}

function forks(commands: readonly Command[]): string {
	return lines(
		'# Forks',
		'',
		'A fork is a clone of a world in mid-flight. It evolves bit for bit as the original would, and nothing done to it',
		'reaches the original. Making one costs microseconds; it pays only for what it changes.',
		'',
		shell(
			'orrery fork create plan',
			'orrery entity damage 3 --amount 50 --world plan',
			'orrery fork step plan --ticks 60',
			'orrery fork observe plan',
			'orrery fork delete plan',
		),
		'',
		'Every command that is about one world takes `--world plan` (over HTTP: `?world=plan`), and a fork can be forked.',
		'Without a change in between, a fork and its parent have equal digests after equally many ticks.',
		'',
		...tagRoutes('Forks', commands),
	);
}

function digest(): string {
	const inside = components.filter(({ scope }) => scope === 'state').map(({ name }) => name);
	const outside = components.filter(({ scope }) => scope !== 'state').map(({ name }) => name);
	return lines(
		'# The state digest',
		'',
		'`state_digest` is 64-bit FNV-1a over a canonical encoding of all state, as 16 hexadecimal digits. Equal digests mean',
		'equal observable state: whatever /observe shows as state is in it. It comes with `tick` in the answers of status,',
		'observe, step and the forks, and alone with `orrery digest`. Asking for the digest of an unchanged world costs nothing.',
		'',
		'In it: tick, which entities live with their generations and the order in which slots are reused, pending events,',
		`and the components ${inside.join(', ')}.`,
		'',
		'Not in it: the seed, so that forks with seeds of their own reach the digests that one peek announced; `orrery digest`',
		'answers a `future_digest` too, which covers state and seed: equal future digests, equal futures.',
		'',
		`Nor are the camera and whatever else only the view uses${outside.length > 0 ? `, and the components ${outside.join(', ')}` : ''}.`,
	);
}

function componentList(): string {
	return lines(
		'# Components',
		'',
		'| name | shown as | in the digest | |',
		'|---|---|---|---|',
		...components.map(
			(component) =>
				`| ${component.name} | ${readoutKey(component) ?? 'not shown'} | ${component.scope === 'state' ? 'yes' : 'no'} | ${component.summary} |`,
		),
	);
}

function componentText(component: Component): string {
	const shown = readoutKey(component);
	const fields = Object.entries(component.fields).map(([name, field]) => {
		const schema = jsonSchema(fieldSchema(field), 'output');
		return `| ${name} | ${syntaxOf(schema)} | ${schema.description ?? ''} |`;
	});
	return lines(
		`# ${component.title}`,
		'',
		`${component.summary}.`,
		'',
		...(fields.length > 0 ? ['| field | type | |', '|---|---|---|', ...fields, ''] : []),
		`Scope: ${component.scope}${component.scope === 'state' ? ' (in the digest)' : ' (not in the digest)'}.`,
		shown === null
			? 'Not shown in the read-out.'
			: `Shown in the read-out as \`${shown}\`: ${syntaxOf(jsonSchema(readoutSchema(component), 'output'))}.`,
	);
}

function errorList(): string {
	return lines(
		'# Errors',
		'',
		'A refused call changes nothing. Its answer is JSON with `ok: false`, `error` and `message` (the same sentence), `code`',
		'and `fix`; `path` names the field at fault. The status is that of the code; a route may report some of its codes inside a 200.',
		'',
		'| code | status | what to do |',
		'|---|---|---|',
		...Object.entries(ERRORS).map(([code, [status, fix]]) => `| ${code} | ${status} | ${fix} |`),
	);
}

function errorText(code: keyof typeof ERRORS, commands: readonly Command[]): string {
	const [status, fix] = ERRORS[code];
	const from = commands.filter(({ route }) => code in route.errors);
	const where =
		from.length === commands.length
			? 'every route'
			: from.map(({ route }) => `${route.method} ${route.path}`).join(', ');
	return lines(`# ${code}`, '', fix, '', `Usual status: ${status}. Answered by ${where || 'the relay'}.`);
}

function routeList(commands: readonly Command[]): string {
	return lines(
		'# Routes',
		...Object.entries(TAGS).flatMap(([tag, summary]) => [
			'',
			`## ${tag}`,
			'',
			`${summary}.`,
			'',
			...tagRoutes(tag, commands),
		]),
	);
}

function tagRoutes(tag: string, commands: readonly Command[]): string[] {
	return [
		'| route | command | effect | |',
		'|---|---|---|---|',
		...commands
			.filter(({ route }) => route.tag === tag)
			.map(
				({ route, words }) =>
					`| ${route.method} ${route.path} | ${words.join(' ')} | ${route.effect} | ${route.summary} |`,
			),
	];
}

function tagText(tag: string, summary: string, commands: readonly Command[]): string {
	const texts = commands.filter(({ route }) => route.tag === tag).map(routeText);
	return lines(`# ${tag}`, '', `${summary}.`, '', texts.join('\n').trimEnd());
}

function fieldRows(schema: JsonSchema | undefined): string[] {
	if (schema === undefined) return [];
	return alternatives(schema).flatMap((form, i) => [
		...(i > 0 ? ['', 'Or:', ''] : []),
		'| field | type | |',
		'|---|---|---|',
		...Object.entries(propertiesOf(form)).map(([name, member]) => {
			const { default: usual } = { ...withoutNull(member), ...member } as JsonSchema;
			const notes = [
				...(requiredOf(form).includes(name) ? ['required'] : []),
				...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
			];
			return `| ${name} | ${syntaxOf(member).replaceAll('|', '\\|')} | ${descriptionOf(member).replaceAll('|', '\\|')}${notes.length > 0 ? ` (${notes.join(', ')})` : ''} |`;
		}),
	]);
}

function routeText(command: Command): string {
	const { route } = command;
	const part = (title: string, schema: JsonSchema | undefined) =>
		schema === undefined ? [] : ['', title, '', ...fieldRows(schema)];
	const codes = Object.entries(route.errors).map(([code, status]) => `${code} (${status})`);
	return lines(
		`## ${route.method} ${route.path}`,
		'',
		`${route.summary}.${route.description ? ` ${route.description}` : ''} Effect: ${route.effect}.`,
		...part('In the path:', route.params),
		...part('In the query:', route.query),
		...part('Body:', route.body),
		...part('Answer:', route.answer),
		'',
		`Refused with: ${codes.join(', ')}.`,
		'',
		shell(usageOf(command), ...route.examples.map((example) => exampleLine(command, example as Example))),
	);
}
