/** Links of the OpenAPI document: from a call that creates a thing to the calls that take its name. */

import { expect, test } from 'vitest';
import { openApiDocument } from '../../../shared/contract/api-documents.ts';
import { linksOf } from '../../../shared/contract/thing.ts';
import { routes } from '../../../shared/routes/index.ts';
import { type Json, startEngine } from '../../support/engine.ts';

const byId = new Map(routes.map((route) => [route.id, route]));
const makers = routes.filter(({ makes }) => makes !== undefined);
const linksFrom = (id: string) => linksOf(byId.get(id)!, routes);

test("a template's name is created, spawned, read and deleted by links", () => {
	const links = linksFrom('templates.create');
	expect(Object.keys(links)).toEqual(['templates.spawn', 'templates.get', 'templates.delete']);
	expect(links['templates.spawn']).toMatchObject({ 'x-body': { name: '$response.body#/template' } });
	expect(links['templates.get']).toMatchObject({ parameters: { 'path.name': '$response.body#/template' } });
});

test('an effect is removed with the entity that has it', () => {
	expect(linksFrom('effects.apply')).toEqual({
		'effects.remove': expect.objectContaining({
			parameters: { 'path.id': '$request.body#/entity_id', 'path.effect_id': '$response.body#/effect_id' },
		}),
	});
});

test('a fork links to the calls of forks, and to every call about a world', () => {
	const links = linksFrom('forks.create');
	expect(links['forks.delete']!.parameters).toEqual({ 'path.id': '$response.body#/fork_id' });
	expect(links['simulation.step']!.parameters).toEqual({ 'query.world': '$response.body#/fork_id' });
	expect(links['calls.list']).toBeUndefined();
});

test('every route with a name in its path has a link from a call that creates the name, except two', () => {
	const targets = new Set(makers.flatMap(({ id }) => Object.keys(linksFrom(id))));
	const nonTargets = routes.filter(({ id, params }) => params !== undefined && !targets.has(id));
	// GET /calls lists the ids of calls, and a header of every answer names the world to end. No call creates either.
	expect(nonTargets.map(({ id }) => id).sort()).toEqual(['calls.cancel', 'operations.end_engine']);
});

// test/relay/generate tests the routes that need a relay.
const localMakers = makers.filter(({ examples: [{ needs }] }) => needs === undefined);
test.each(localMakers.map((route) => ({ id: route.id, route })))(
	'$id: the link targets exist in its answer',
	async ({ route }) => {
		const { engine, must } = await startEngine();
		const [{ given = [], body, path = route.path }] = route.examples;
		for (const call of given)
			await must(call.method ?? (call.body === undefined ? 'GET' : 'POST'), call.path, call.body);
		const answer = await must(route.method, path, body);
		const bodies: Readonly<Record<string, unknown>> = { response: answer, request: body };
		for (const expression of Object.values(route.makes!.named)) {
			const [, side = '', pointer = ''] = /^\$(request|response)\.body#\/(.+)$/.exec(expression)!;
			const value = pointer.split('/').reduce<unknown>((part, key) => (part as Json)[key], bodies[side]);
			expect(['string', 'number']).toContain(typeof value);
		}
		engine.close();
	},
);

test('links are on the answers that report a creation', () => {
	const { paths } = openApiDocument(routes) as {
		paths: Record<string, Record<string, { responses: Record<string, { links?: object }> }>>;
	};
	expect(Object.keys(paths['/spawn']!.post!.responses['201']!.links!)).toContain('world.despawn');
	expect(paths['/despawn']!.post!.responses['200']!.links).toBeUndefined();
});
