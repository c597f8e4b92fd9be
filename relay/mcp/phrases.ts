/**
 * Advice of refused calls, in the words of tools.
 * Owns: the tool for each call. Calls without a tool of their own are made with the tool `call`, which takes them as
 * written.
 */

import type { PathOf } from '../../shared/routes/index.ts';
import { isRecord } from './messages.ts';

/** Calls that have a tool. */
const TOOL_OF: Readonly<Partial<Record<PathOf<'GET'> | PathOf<'POST'>, string>>> = {
	'/observe': 'observe',
	'/peek': 'peek',
	'/step': 'step',
	'/fork': 'fork',
	'/action/list': 'act',
	'/action/{name}': 'act',
	'/schema': 'describe',
	'/screenshot': 'picture',
};

const CALL = /\b(?:GET|POST) (\/[\w/{}]*[\w}])(?:\?([\w=&/{}]*\w))?/g;

/** Returns a refusal whose every `fix` names tools. `path`: that of the refused call. */
export function inTools(value: unknown, path: string): unknown {
	if (Array.isArray(value)) return value.map((item) => inTools(item, path));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [
			key,
			key === 'fix' && typeof item === 'string' ? phrase(item, path) : inTools(item, path),
		]),
	);
}

function phrase(fix: string, path: string): string {
	return fix.replace(CALL, (call, route: string, query: string | undefined, at: number) => {
		const tool = TOOL_OF[route as keyof typeof TOOL_OF];
		if (tool === undefined) return call;
		const words = `${/(^|[.!?] )$/.test(fix.slice(0, at)) ? 'The' : 'the'} tool "${tool}"`;
		const about = new URLSearchParams(query).get('path');
		if (about === null) return words;
		const named = about === 'ROUTE' ? routeOf(path) : about;
		return `${words} with {"path":"${named}"}`;
	});
}

/** Returns the route of a call as the schema has it, if the path has a name in it. */
const routeOf = (path: string): string => (path.startsWith('/action/') ? '/action/{name}' : path);
