/**
 * The shape of the OpenAPI document that generators of clients need. Some generators stop at valid documents, or
 * leave calls out.
 * Owns: the constructs that the document must not have, and the names that it must have.
 */

import { expect, test } from 'vitest';
import { openApiDocument } from '../../../shared/contract/api-documents.ts';
import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { routes } from '../../../shared/routes/index.ts';
import { startEngine } from '../../support/engine.ts';

interface Operation {
	readonly operationId: string;
	readonly parameters: readonly { readonly $ref?: string }[];
	readonly requestBody?: { readonly content: Content };
	readonly responses: Readonly<Record<string, { readonly content: Content; readonly links?: object }>>;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

const document = openApiDocument(routes, 'http://127.0.0.1:3917') as unknown as {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Readonly<
		Record<'schemas' | 'parameters' | 'securitySchemes', Record<string, JsonSchema>>
	>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Returns the places of the document whose value is wrong. */
function placesOf(isWrong: (value: JsonSchema) => boolean, at: unknown = document, place = ''): string[] {
	if (typeof at !== 'object' || at === null) return [];
	const own = !Array.isArray(at) && isWrong(at as JsonSchema) ? [place] : [];
	return [
		...own,
		...Object.entries(at).flatMap(([key, value]) =>
			key === 'examples' ? [] : placesOf(isWrong, value, `${place}/${key}`),
		),
	];
}

test('no list has false as its items, and no link has an object as its body', () => {
	expect(placesOf(({ items }) => items === false)).toEqual([]);
	expect(
		placesOf(
			(value) => 'operationId' in value && typeof value.requestBody === 'object' && !('responses' in value),
		),
	).toEqual([]);
});

test('no reference has other keywords beside it, no default is an object, and no schema is empty instead of true', () => {
	const hasUnsupportedSiblings = (value: JsonSchema) =>
		'$ref' in value && Object.keys(value).some((key) => key !== '$ref' && key !== 'description');
	expect(placesOf(hasUnsupportedSiblings)).toEqual([]);
	const hasObjectDefault = ({ default: value }: JsonSchema) =>
		typeof value === 'object' && value !== null && !Array.isArray(value) && !('description' in value);
	expect(placesOf(hasObjectDefault)).toEqual([]);
	expect(placesOf(({ additionalProperties: otherSchema }) => JSON.stringify(otherSchema) === '{}')).toEqual(
		[],
	);
});

test('null, closed objects and constants are in a form that generators support', () => {
	const hasUnsupportedSiblings = ({ type, properties, allOf, additionalProperties: others }: JsonSchema) =>
		type === 'object' && properties !== undefined && (allOf !== undefined || others === false);
	expect(placesOf(hasUnsupportedSiblings)).toEqual([]);
	const bareNulls = placesOf(({ type }) => type === 'null').filter(
		(place) => !/\/(any|one)Of\/\d+$/.test(place),
	);
	expect(bareNulls).toEqual([]);
	expect(
		placesOf(({ type, const: constant }) => type !== undefined && typeof constant === 'boolean'),
	).toEqual([]);
	// The document still states that other fields are refused, and which fields go together.
	const { EntityDocument, InputPressBody } = document.components.schemas;
	expect(EntityDocument).toMatchObject({
		properties: { template: { const: null } },
		unevaluatedProperties: false,
	});
	expect(InputPressBody).toHaveProperty('if', {});
	expect(InputPressBody).toHaveProperty('then.allOf.length', 2);
});

test('every body and every answer in JSON is a named schema, one for each operation', () => {
	const isNamed = ({ schema }: { readonly schema: JsonSchema }) =>
		Object.keys(schema).join() === '$ref' &&
		Object.hasOwn(document.components.schemas, String(schema.$ref).split('/').at(-1)!);
	for (const { operationId, requestBody, responses } of operations) {
		for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
			const json = content?.['application/json'];
			if (json !== undefined) expect(isNamed(json), operationId).toBe(true);
		}
	}
	expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length);
	const names = Object.keys(document.components.schemas);
	expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
	expect(names).toEqual(
		expect.arrayContaining(['Spawn', 'WorldSpawnAnswer', 'SimulationStepBody', 'SimulationPeekAnswer']),
	);
	for (const name of names) expect(name).toMatch(/^[A-Z]\w*$/);
});

test('the headers of a call, its session and the address of the server are declared', async () => {
	const { parameters, securitySchemes } = document.components;
	expect(Object.values(parameters).map(({ name }) => name)).toEqual([
		'world',
		'Idempotency-Key',
		'X-Orrery-World',
	]);
	expect(securitySchemes.session).toMatchObject({ type: 'http', scheme: 'bearer' });
	for (const route of routes) {
		const { parameters: references } = document.paths[route.path]![route.method.toLowerCase()]!;
		const acceptsKey = references.some(({ $ref }) => $ref === '#/components/parameters/idempotencyKey');
		expect(acceptsKey, route.id).toBe(route.effect !== 'read');
	}
	const { engine, call } = await startEngine();
	const serversFor = async (headers: Record<string, string>) =>
		(await call('GET', '/openapi.json', undefined, headers)).body.servers;
	expect(await serversFor({ host: 'localhost:4000' })).toEqual([{ url: 'http://localhost:4000' }]);
	expect(await serversFor({})).toEqual([{ url: '/' }]);
	await engine.close();
});
