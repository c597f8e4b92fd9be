/**
 * Examples as texts to copy: for a shell, and for the typed client.
 */

import { routeOf } from '../../shared/contract/isolation.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import type { Example, ExampleCall } from '../../shared/contract/route.ts';
import { curlLine } from '../ui/api/curl-line.ts';
import { jsonPieces, printJson } from '../ui/api/json-text.ts';
import type { ApiDocument, DocRoute } from './document.ts';

/** Source of each route by its id: its file below `shared/routes`, and the name of its export. */
export type RouteSources = Readonly<Record<string, readonly [file: string, name: string]>>;

/** Returns all calls of an example, in order. */
export function callsOf(
	route: DocRoute,
	{ given = [], path = route.path, body }: Example,
): readonly ExampleCall[] {
	return [...given, { method: route.method, path, body }];
}

/** Returns the calls as lines for a shell. */
export function curlText(address: string, calls: readonly ExampleCall[]): string {
	return calls
		.map(({ method = 'POST', path, body }) =>
			curlLine(address, method, path, body === undefined ? '{}' : JSON.stringify(body)),
		)
		.join('\n');
}

/** Returns a program that sends the calls with the typed client. It runs in a clone of the repository. */
export function typescriptText(
	address: string,
	calls: readonly ExampleCall[],
	document: ApiDocument,
	sources: RouteSources,
): string {
	const routes = calls.map((call) => routeOf(document.find, call));
	const imports = new Map<string, Set<string>>();
	for (const route of routes) {
		const [file, name] = sources[route?.id ?? ''] ?? [];
		if (file !== undefined && name !== undefined)
			imports.set(file, (imports.get(file) ?? new Set<string>()).add(name));
	}
	const lines = calls.map((call, at) => {
		const route = routes[at];
		const name = sources[route?.id ?? '']?.[1] ?? 'route';
		const assignment = at === calls.length - 1 ? 'const answer = ' : '';
		const input = route === undefined ? '' : inputText(call, route);
		return `${assignment}await client.call(${name}${input === '' ? '' : `, ${input}`});`;
	});
	return [
		"import { createClient, httpHandle } from './shared/transport/client.ts';",
		...[...imports]
			.sort()
			.map(([file, names]) => `import { ${[...names].sort().join(', ')} } from './shared/routes/${file}';`),
		'',
		`const client = createClient(httpHandle('${address}'));`,
		...lines,
	].join('\n');
}

/** Returns the source text of a call's parameters, query and body; an empty text if it has none. */
function inputText(call: ExampleCall, route: DocRoute): string {
	const { path, query } = pathAndQuery(call.path);
	const given = path.split('/');
	const params = Object.fromEntries(
		route.path.split('/').flatMap((segment, at) => {
			const name = /^\{(\w+)\}$/.exec(segment)?.[1];
			return name === undefined ? [] : [[name, numberOrText(decodeURIComponent(given[at] ?? ''))]];
		}),
	);
	const queryFields = Object.fromEntries(
		[...new URLSearchParams(query)].map(([name, value]) => [name, numberOrText(value)]),
	);
	const input = {
		...(Object.keys(params).length > 0 ? { params } : {}),
		...(Object.keys(queryFields).length > 0 ? { query: queryFields } : {}),
		...(call.body === undefined ? {} : { body: call.body }),
	};
	return Object.keys(input).length === 0 ? '' : literal(input);
}

const numberOrText = (text: string): string | number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Returns a value as TypeScript source: keys without quotes where possible, and texts in single quotes. */
function literal(value: unknown): string {
	return jsonPieces(printJson(value))
		.map(({ kind, text }) => {
			if (kind === 'key' && /^"[A-Za-z_]\w*"$/.test(text)) return text.slice(1, -1);
			const isSimple = kind === 'string' && !/['\\]/.test(text);
			return isSimple ? `'${text.slice(1, -1)}'` : text;
		})
		.join('');
}
