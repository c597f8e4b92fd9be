/**
 * Translates the advice of refused calls into advice about tools.
 * Owns: the tool for each call. A call without a tool keeps its form, which the tool `call` accepts.
 */

import type { PathOf } from '../../shared/routes/index.ts';
import { isRecord } from './messages.ts';

/** Calls that have a tool. */
const TOOLS_BY_PATH: Readonly<Partial<Record<PathOf<'GET'> | PathOf<'POST'>, string>>> = {
	'/observe': 'observe',
	'/peek': 'peek',
	'/step': 'step',
	'/fork': 'fork',
	'/action/list': 'act',
	'/action/{name}': 'act',
	'/schema': 'describe',
	'/screenshot': 'picture',
};

const CALL_PATTERN = /\b(?:GET|POST) (\/[\w/{}]*[\w}])(?:\?([\w=&/{}]*\w))?/g;

/** Returns a refusal in which each `fix` names tools instead of calls. `path`: path of the refused call. */
export function translateFixes(value: unknown, path: string): unknown {
	if (Array.isArray(value)) return value.map((item) => translateFixes(item, path));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [
			key,
			key === 'fix' && typeof item === 'string' ? translateFix(item, path) : translateFixes(item, path),
		]),
	);
}

function translateFix(fix: string, path: string): string {
	return fix.replace(CALL_PATTERN, (call, route: string, query: string | undefined, offset: number) => {
		const tool = TOOLS_BY_PATH[route as keyof typeof TOOLS_BY_PATH];
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
