/**
 * Translates the advice of refused calls into advice about tools.
 * Owns: the tool for each call. A call without a tool keeps its form, which the tool `call` accepts.
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

/** Returns a refusal in which each `fix` names tools instead of calls. `path`: path of the refused call. */
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
	return fix.replace(CALL, (call, route: string, query: string | undefined, offset: number) => {
		const tool = TOOL_OF[route as keyof typeof TOOL_OF];
		if (tool === undefined) return call;
		const words = `${/(^|[.!?] )$/.test(fix.slice(0, offset)) ? 'The' : 'the'} tool "${tool}"`;
		const schemaPath = new URLSearchParams(query).get('path');
		if (schemaPath === null) return words;
		const routePath = schemaPath === 'ROUTE' ? routeOf(path) : schemaPath;
		return `${words} with {"path":"${routePath}"}`;
	});
}

/** Returns the path of a call's route in the schema. */
const routeOf = (path: string): string => (path.startsWith('/action/') ? '/action/{name}' : path);
