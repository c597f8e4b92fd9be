/** Reference pages of errors, events, Lua functions and named types. */

import { errorsOf } from '../../../shared/contract/api-documents.ts';
import { ERRORS, type ErrorCode } from '../../../shared/contract/errors.ts';
import { type EventType, eventTitle } from '../../../shared/contract/event.ts';
import { type JsonSchema, jsonSchema } from '../../../shared/contract/json-schema.ts';
import type { Route } from '../../../shared/contract/route.ts';
import {
	SCRIPT_CALLBACKS,
	SCRIPT_FUNCTIONS,
	SCRIPT_LIMITS,
	type ScriptFunction,
	signatureOf,
} from '../../../shared/documents/script-functions.ts';
import { events } from '../../../shared/events/index.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { GuidePage } from '../page.ts';
import { declarations, ownTypes, PAGES, routeLink, schemaLink } from './declarations.ts';
import { fieldTables, plainText, table } from './schema-rows.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Maximum number of listed routes. If there are more, only their number is shown. */
const MAX_ROUTES = 60;

function describeSources(
	code: ErrorCode,
	errorsByRoute: readonly (readonly [Route, ReturnType<typeof errorsOf>])[],
): string {
	const routesWithCode = errorsByRoute.filter(([, errors]) => code in errors).map(([route]) => route);
	if (routesWithCode.length === 0) return 'Answered by the server itself.';
	if (routesWithCode.length === errorsByRoute.length) return 'Any route may answer it.';
	if (routesWithCode.length > MAX_ROUTES) return `${routesWithCode.length} routes may answer it.`;
	return `Answered by ${routesWithCode.map(routeLink).join(', ')}.`;
}

export const errorsPage: GuidePage = {
	name: PAGES.errors,
	title: 'Errors',
	summary: `All ${CODES.length} error codes, with their status and the remedy`,
	markdown: () => {
		const errorsByRoute = (routes as readonly Route[]).map((route) => [route, errorsOf(route)] as const);
		return [
			'# Errors',
			'',
			'The answer of a refused call has `ok: false`, a `code` of this list, `error` (the reason) and `fix` (what to send instead). Some routes report some codes inside a 200, so check `ok`.',
			'',
			...CODES.flatMap((code) => [
				`## ${code}`,
				'',
				`Status ${ERRORS[code][0]}. ${plainText(ERRORS[code][1])}`,
				'',
				describeSources(code, errorsByRoute),
				'',
			]),
		].join('\n');
	},
};

function eventText(type: EventType): string[] {
	const properties = Object.fromEntries(
		Object.entries(type.fields).map(([name, field]) => [name, jsonSchema(field, 'output')]),
	);
	const roles = [
		...(type.subject === undefined ? [] : [`\`this\` of rules is \`${type.subject}\`.`]),
		...(type.source === undefined ? [] : [`\`source\` is \`${type.source}\`.`]),
		...(type.sent === undefined ? [] : ['Callers and rules may send it.']),
	];
	return [
		`## ${type.kind}`,
		'',
		`${plainText(type.summary)}. Answers list it as \`${eventTitle(type)}\`. ${roles.join(' ')}`.trim(),
		'',
		...fieldTables({ type: 'object', properties }, 'output', schemaLink),
	];
}

export const eventsPage: GuidePage = {
	name: PAGES.events,
	title: 'Events',
	summary: `All ${events.length} kinds of event, with their fields`,
	markdown: () =>
		[
			'# Events',
			'',
			'An event is readable on the tick on which it is sent and on the next. `event:KIND` is a condition, and `GET /events` lists the latest ones.',
			'',
			...events.flatMap((type) => eventText(type)),
		].join('\n'),
};

const functionTable = (functions: readonly ScriptFunction[]): string[] =>
	table(
		['function', 'returns', 'does'],
		functions.map((item) => [`\`${signatureOf(item)}\``, item.returns ?? '', plainText(item.doc)]),
	);

export const luaPage: GuidePage = {
	name: PAGES.lua,
	title: 'Lua functions',
	summary: 'Functions that a script defines, and those that the table `engine` offers',
	markdown: () =>
		[
			'# Lua functions',
			'',
			'See [give an entity a mind in Lua](scripts.md) for a first script.',
			'',
			'## A script defines',
			'',
			...functionTable(SCRIPT_CALLBACKS),
			'## The table engine offers',
			'',
			'It is also available as `euca`. An entity `e` is a number that names one life of an entity.',
			'',
			...functionTable(SCRIPT_FUNCTIONS),
			'## Limits',
			'',
			plainText(SCRIPT_LIMITS),
			'',
		].join('\n'),
};

function typeEntry(name: string): string[] {
	const { definitions } = declarations();
	const io = name in definitions ? 'input' : 'output';
	const schema = definitions[io === 'input' ? name : `${name}Answer`] as JsonSchema;
	return [
		`## ${name}`,
		'',
		...(typeof schema.description === 'string' ? [`${plainText(schema.description)}.`, ''] : []),
		...fieldTables({ ...schema, description: undefined }, io, schemaLink),
	];
}

export const typesPage: GuidePage = {
	name: PAGES.types,
	title: 'Types',
	summary: 'Named records that several routes share',
	markdown: () =>
		['# Types', '', 'Records that several routes take or answer.', '', ...ownTypes().flatMap(typeEntry)].join(
			'\n',
		),
};
