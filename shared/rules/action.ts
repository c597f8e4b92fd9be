/**
 * Actions: moves that a game offers by name. Each has typed parameters and calls.
 * Owns: the declaration of an action, and the schema of its parameters.
 */

import * as z from 'zod';
import {
	entityId,
	flag,
	integer,
	keyText,
	number,
	optional,
	position,
	text,
	withoutReserved,
	word,
} from '../contract/values.ts';
import { referenceName, refuseTakenNames, requestDocument } from '../documents/request.ts';
import { filterText } from '../verbs/filter-text.ts';

/** Names of MCP tools that every world has. Actions are tools too, so they must have other names. */
export const TOOL_NAMES = ['observe', 'peek', 'step', 'fork', 'act', 'describe', 'picture', 'call'] as const;

const PARAMETER_TYPES = ['number', 'integer', 'string', 'boolean', 'position', 'entity'] as const;
/** Maximum length of a text for an action (characters). */
const MAX_TEXT = 2000;

const parameterDocument = z
	.strictObject({
		type: word(PARAMETER_TYPES, 'Kind of value; position: [x, y, z] (m); entity: the id of a living entity'),
		description: text('Purpose and unit', 500).min(1),
		min: optional(number('Smallest number')),
		max: optional(number('Largest number')),
		enum: optional(
			z
				.array(z.union([text('Text', MAX_TEXT), z.number()]))
				.min(1)
				.max(100)
				.describe('The only values that are accepted'),
		),
		filter: optional(filterText.describe('Entities that may be named, such as team:2+alive')),
		optional: optional(flag('May be left out; its references are then `default`, or null')),
		default: optional(
			z
				.union([z.number(), text('Text', MAX_TEXT), z.boolean(), position])
				.describe('Value if it is left out'),
		),
	})
	.superRefine((parameter, context) => {
		const addIssue = (path: string, message: string) =>
			context.addIssue({ code: 'custom', message, path: [path] });
		const { type, min, max } = parameter;
		const isNumber = type === 'number' || type === 'integer';
		if (!isNumber && min != null) addIssue('min', 'only numbers have a smallest value');
		if (!isNumber && max != null) addIssue('max', 'only numbers have a largest value');
		if (min != null && max != null && min > max) addIssue('min', 'min must not be above max');
		if (parameter.enum != null && !isNumber && type !== 'string')
			addIssue('enum', 'only numbers and texts have a list of values');
		if (parameter.filter != null && type !== 'entity') addIssue('filter', 'only entities have a filter');
		if (parameter.default != null && !valueSchema(parameter).safeParse(parameter.default).success)
			addIssue('default', 'the default must be a value that the parameter takes');
	})
	.describe('A parameter of an action')
	.meta({ id: 'ActionParameter' });

export type ActionParameter = z.output<typeof parameterDocument>;

export const actionName = withoutReserved(
	keyText('Name of the action', 64).regex(
		/^[a-z][a-z0-9_]*$/,
		'a name must have only small letters, digits and _, and begin with a letter',
	),
	'list',
	...TOOL_NAMES,
);

export const actionDocument = z
	.strictObject({
		name: actionName,
		description: text('Effect of the action, for the player that chooses it', 1000).min(1),
		parameters: z
			.record(referenceName('Name of a parameter; requests refer to it as $name'), parameterDocument)
			.default({})
			.describe('Parameters by name, at most 30'),
		requests: z
			.array(requestDocument)
			.max(100)
			.superRefine(refuseTakenNames)
			.default([])
			.describe('Calls that it makes, as in a batch; "$name" stands for a parameter'),
		ticks: integer('Ticks to advance afterwards', { unit: 'ticks', max: 10_000 }).default(0),
	})
	.superRefine(({ parameters, requests, ticks }, context) => {
		if (requests.length === 0 && ticks === 0)
			context.addIssue({ code: 'custom', message: 'an action needs requests or ticks', path: ['requests'] });
		if (Object.keys(parameters).length > 30)
			context.addIssue({ code: 'custom', message: 'at most 30 parameters', path: ['parameters'] });
		for (const [index, { as }] of requests.entries())
			if (as != null && Object.hasOwn(parameters, as))
				context.addIssue({
					code: 'custom',
					message: 'the name is taken by a parameter',
					path: ['requests', index, 'as'],
				});
	})
	.describe('An action: a move of the game by name')
	.meta({ id: 'GameAction' });

export type ActionDocument = z.output<typeof actionDocument>;

/** Schema of the actions in a document, with unique names. */
export const actionList = z
	.array(actionDocument)
	.max(200)
	.superRefine((list, context) => {
		const names = list.map(({ name }) => name);
		for (const [index, name] of names.entries())
			if (names.indexOf(name) < index)
				context.addIssue({ code: 'custom', message: 'another action has this name', path: [index, 'name'] });
	});

/** Returns the schema of the values of a parameter. */
function valueSchema({
	type,
	description,
	min,
	max,
	enum: values,
	filter,
}: Omit<ActionParameter, 'default' | 'optional'>): z.ZodType {
	const range = { ...(min == null ? {} : { min }), ...(max == null ? {} : { max }) };
	if (values != null && type !== 'entity' && type !== 'position')
		return z.literal(values as [string, ...string[]]).describe(description);
	switch (type) {
		case 'number':
			return number(description, range);
		case 'integer':
			return integer(description, { min: -0x80000000, ...range });
		case 'string':
			return text(description, MAX_TEXT);
		case 'boolean':
			return flag(description);
		case 'position':
			return position.describe(`${description} [x, y, z] (m)`);
		case 'entity':
			return entityId.describe(
				`${description} (entity id${filter == null ? '' : `; only entities with ${filter}`})`,
			);
	}
}

/** Returns the schema of an action's parameters. It refuses unknown ones. */
export function parametersSchema({ parameters }: ActionDocument): z.ZodObject {
	return z.strictObject(
		Object.fromEntries(
			Object.entries(parameters).map(([name, parameter]) => {
				const value = valueSchema(parameter);
				if (parameter.default != null) return [name, value.default(parameter.default)];
				return [name, parameter.optional === true ? value.nullish() : value];
			}),
		),
	);
}
