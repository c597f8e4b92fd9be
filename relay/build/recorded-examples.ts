/**
 * Vite plugin for `virtual:recorded-examples`: recorded answers of route examples on an empty world, and the file that
 * declares each route.
 * Owns: the content of this module. Each example runs on its own engine, in this process.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { exampleIsolation, routeOf } from '../../shared/contract/isolation.ts';
import { createdThings, type ThingName } from '../../shared/contract/made-things.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import { pathMatcher } from '../../shared/contract/path-matcher.ts';
import { type Example, type ExampleCall, hasBody, type Route } from '../../shared/contract/route.ts';
import { rawRequest } from '../../shared/transport/client.ts';
import type { Engine } from '../../web/host/engine.ts';

const MODULE_ID = 'virtual:recorded-examples';
const RESOLVED_ID = `\0${MODULE_ID}`;

export interface RecordedExample {
	readonly answer: unknown;
	/** Ids that the preparing calls created, in order. */
	readonly made: readonly (readonly [thing: string, name: ThingName])[];
}

export interface RecordedExamples {
	/** Keys are the id of the route and the name of the example, with a blank between them. */
	readonly examples: Readonly<Record<string, RecordedExample>>;
	/** File in `shared/routes` and name of the export, by the id of the route. */
	readonly declared: Readonly<Record<string, readonly [file: string, name: string]>>;
}

/** Provides `virtual:recorded-examples`. `publicFolder` has the scenes and models that examples name. */
export function recordedExamples(publicFolder: string): Plugin {
	return {
		name: 'orrery-recorded-examples',
		resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : undefined),
		async load(id) {
			if (id !== RESOLVED_ID) return undefined;
			return `export default ${JSON.stringify(await recordExamples(publicFolder))};`;
		},
	};
}

const ROOT = join(import.meta.dirname, '../..');

/** Loads a module of the engine. A static import would make Vite bundle the engine with its config at each start. */
const load = (file: string) => import(pathToFileURL(join(ROOT, file)).href);

interface ExampleRecorder {
	readonly routes: readonly Route[];
	readonly findRoute: ReturnType<typeof pathMatcher<Route>>;
	readonly startEngine: () => Promise<Engine>;
}

/** Records all examples that an engine without a view can answer, except those that only run in the live world. */
export async function recordExamples(publicFolder: string): Promise<RecordedExamples> {
	const { routes } = (await load('shared/routes/index.ts')) as { readonly routes: readonly Route[] };
	const { createEngine } = (await load('web/host/engine.ts')) as typeof import('../../web/host/engine.ts');
	const recorder: ExampleRecorder = {
		routes,
		findRoute: pathMatcher(routes),
		startEngine: () =>
			createEngine({
				readPublic: async (file) => {
					const path = join(publicFolder, file);
					return existsSync(path) ? readFile(path) : null;
				},
			}),
	};
	const examples: Record<string, RecordedExample> = {};
	for (const route of routes)
		for (const example of route.examples) {
			const isDrawn = example.needs === 'view' && example.answer === undefined;
			if (isDrawn || exampleIsolation(recorder.findRoute, route, example).in === 'live') continue;
			const recorded = await record(recorder, route, example);
			if (recorded !== undefined) examples[`${route.id} ${example.name}`] = recorded;
		}
	return { examples, declared: await findDeclarations(routes) };
}

/** Runs an example and returns its record; undefined if the engine refuses it, because it needs a view or a server. */
async function record(
	{ findRoute: find, startEngine: start }: ExampleRecorder,
	{ method, path: routePath }: Route,
	{ given: preparation = [], path = routePath, body, answer }: Example,
): Promise<RecordedExample | undefined> {
	if (answer !== undefined) return { answer, made: [] };
	const engine = await start();
	const callEngine = async (call: ExampleCall) => {
		const usedMethod = call.method ?? 'POST';
		const requestBody = hasBody(usedMethod) ? { body: call.body ?? {} } : {};
		const response = await engine.handle(
			rawRequest({ method: usedMethod, ...pathAndQuery(call.path), ...requestBody }),
		);
		const parsed = JSON.parse(new TextDecoder().decode(response.body)) as { readonly ok?: boolean };
		return response.status < 400 && parsed.ok !== false ? parsed : undefined;
	};
	const thingNames: (readonly [string, ThingName])[] = [];
	for (const call of preparation)
		thingNames.push(...createdThings(routeOf(find, call)?.makes, call.body, await callEngine(call)));
	const recorded = await callEngine({ method, path, body });
	await engine.close();
	return recorded === undefined ? undefined : { answer: recorded, made: thingNames };
}

async function findDeclarations(routes: readonly Route[]): Promise<RecordedExamples['declared']> {
	const declared: Record<string, readonly [string, string]> = {};
	for (const file of await readdir(join(ROOT, 'shared/routes'))) {
		if (file === 'index.ts') continue;
		const exported = (await load(`shared/routes/${file}`)) as Readonly<Record<string, unknown>>;
		for (const [name, value] of Object.entries(exported)) {
			const route = routes.find((route) => route === value);
			if (route !== undefined) declared[route.id] = [file, name];
		}
	}
	return declared;
}
