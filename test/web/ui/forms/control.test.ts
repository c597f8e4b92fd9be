/**
 * The controls of declared values: every field of every route in the view Make has a control.
 * Owns: the cases of forms/control.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonSchema } from '../../../../shared/contract/json-schema.ts';
import type { Tag } from '../../../../shared/contract/route.ts';
import { number, optional, vec3, word } from '../../../../shared/contract/values.ts';
import { routes } from '../../../../shared/routes/index.ts';
import {
	type Control,
	controlOf,
	type FormField,
	fieldsOf,
	firstValue,
	fits,
} from '../../../../web/ui/forms/control.ts';
import { routesOf } from '../../../../web/ui/make/world/part.ts';
import { worldSections } from '../../../../web/ui/make/world/sections.ts';

const MAKE = join(import.meta.dirname, '../../../../web/ui/make');
/** Route whose lists may have JSON controls, because separate calls change lists of an entity. */
const COMPONENTS = 'POST /entities/{id}/components';
const control = (schema: z.ZodType): Control => controlOf(jsonSchema(schema, 'input'));

/** The names of routes in the code of the view Make. */
const called = new Set([
	...readdirSync(MAKE, { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.tsx?$/.test(file))
		.flatMap(
			(file) => readFileSync(join(MAKE, file), 'utf8').match(/(?:GET|POST|DELETE) \/[\w/{}-]+/g) ?? [],
		),
	...worldSections.flatMap(({ parts }) => parts.flatMap(routesOf)),
]);
const named = routes.filter(({ method, path }) => called.has(`${method} ${path}`));

/** Returns every field, including those of records and of list items. */
function everyField(of: readonly FormField[], at: string): (readonly [string, Control])[] {
	return of.flatMap(({ key, control: own }) => controlsWithin(own, `${at} ${key}`));
}

function controlsWithin(own: Control, at: string): (readonly [string, Control])[] {
	if (own.kind === 'record') return [[at, own], ...everyField(own.fields, at)];
	if (own.kind === 'list') return [[at, own], ...controlsWithin(own.of, `${at}[]`)];
	return [[at, own]];
}

/** Routes without a form, because a panel fills in their body. */
const FORMLESS = ['POST /spawn'];
const declared = named.flatMap(({ method, path, body }) =>
	body === undefined || FORMLESS.includes(`${method} ${path}`)
		? []
		: everyField(fieldsOf(jsonSchema(body, 'input')), `${method} ${path}`),
);

describe('every route of looks and sound', () => {
	const TAGS: readonly Tag[] = [
		'Camera and render',
		'UI and HUD',
		'Particles',
		'Audio',
		'Terrain',
		'Animation',
	];
	/** Routes outside the view Make. */
	const ELSEWHERE = ['POST /screenshot'];

	it('is called in the view Make', () => {
		const acts = routes.filter(({ tag, method }) => TAGS.includes(tag) && method !== 'GET');
		expect(acts.length).toBeGreaterThan(30);
		const missing = acts
			.map(({ method, path }) => `${method} ${path}`)
			.filter((name) => !called.has(name) && !ELSEWHERE.includes(name));
		// The page changes a material as a component.
		expect(missing).toEqual(['POST /material/set']);
	});

	it('exists', () => {
		const routeNames = new Set(routes.map(({ method, path }) => `${method} ${path}`));
		const parts = worldSections.flatMap(({ parts: all }) => all.flatMap(routesOf));
		expect(parts.filter((name) => !routeNames.has(name))).toEqual([]);
	});

	it('has a control for each of its fields', () => {
		expect(declared.length).toBeGreaterThan(200);
		const asJson = declared.filter(([, { kind }]) => kind === 'json').map(([at]) => at);
		const bySight = asJson.filter((at) => !at.startsWith(COMPONENTS));
		// A record with free keys has no form, only JSON.
		expect(bySight).toEqual(['POST /animation/state-machine parameters']);
	});

	it('names each of several numbers', () => {
		const bare = declared
			.filter(([, own]) => own.kind === 'numbers' && own.parts[0] === '1')
			.map(([at]) => at);
		expect(bare.filter((at) => !at.startsWith(COMPONENTS))).toEqual([]);
	});

	it('finds the first usable value of a list', () => {
		for (const [at, own] of declared)
			if (own.kind === 'list' && own.of.kind !== 'json' && !at.startsWith(COMPONENTS))
				expect([at, fits(own.of, firstValue(own.of))]).toEqual([at, true]);
	});
});

describe('a control', () => {
	it('has the limits and the unit of a number', () => {
		const range = optional(number('Range', { unit: 'm', min: 0, max: 100 }));
		expect(control(range)).toEqual({
			kind: 'number',
			whole: false,
			min: 0,
			max: 100,
			unit: 'm',
			names: undefined,
		});
	});

	it('is a choice for words, a switch for flags, axes for vectors', () => {
		expect(control(word(['Fast', 'Slow'], 'How'))).toEqual({ kind: 'word', words: ['Fast', 'Slow'] });
		expect(control(z.boolean().nullish())).toEqual({ kind: 'flag' });
		expect(control(vec3('Place'))).toMatchObject({ kind: 'numbers', parts: ['x', 'y', 'z'], unit: 'm' });
	});

	it('distinguishes linear colours from those of the screen', () => {
		const tuple = z.tuple([z.number(), z.number(), z.number()]);
		expect(control(tuple.describe('Light [r, g, b], linear'))).toMatchObject({
			kind: 'colour',
			linear: true,
		});
		expect(control(tuple.describe('Paint [r, g, b]'))).toMatchObject({ kind: 'colour', linear: false });
	});

	it('for a union is that of its most detailed form', () => {
		expect(control(z.union([z.string(), z.strictObject({ a: z.number() })])).kind).toBe('record');
		expect(control(z.union([z.int(), z.string()]))).toMatchObject({ kind: 'text', orNumber: true });
	});

	it('is a field for JSON in all other cases', () => {
		expect(control(z.record(z.string(), z.number()))).toEqual({ kind: 'json' });
	});
});

it('fields have their meaning, their default and whether they are required', () => {
	const shape = z.strictObject({
		speed: number('How fast', { max: 9 }).default(1),
		name: z.string().describe('What it is called'),
	});
	expect(fieldsOf(jsonSchema(shape, 'input'))).toMatchObject([
		{ key: 'speed', says: 'How fast', initial: 1, required: false },
		{ key: 'name', says: 'What it is called', initial: undefined, required: true },
	]);
});
