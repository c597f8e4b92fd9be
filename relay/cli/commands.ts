/**
 * The commands, derived from the declared routes.
 * Owns: the argument for each field of a route. Never: lists commands or fields.
 */

import type { RouteDocument } from '../../shared/contract/api-documents.ts';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import {
	alternatives,
	isScalar,
	isSimple,
	propertiesOf,
	requiredOf,
	withoutNull,
	wordsOf,
} from './schema-form.ts';
import { descriptionOf } from './value-syntax.ts';

export interface Argument {
	/** Without the two dashes: `combat-damage`. */
	readonly flag: string;
	readonly location: 'path' | 'query' | 'body';
	/** Path of the value in the request. */
	readonly key: readonly string[];
	readonly schema: JsonSchema;
	readonly required: boolean;
	readonly description: string;
}

export interface CliCommand {
	/** Words of the command: `['entity', 'create']`, or one word. */
	readonly words: readonly string[];
	readonly route: RouteDocument;
	/** All arguments. Each has a flag. */
	readonly arguments: readonly Argument[];
	/** Arguments that may be given by position, in order. */
	readonly positionals: readonly Argument[];
	/** Argument that is read from the engine if omitted. */
	readonly generation: Argument | undefined;
}

/** The generation of an entity. A command is about the entity that currently has the id. */
const GENERATION = 'entity_generation';

const flagOf = (name: string) => name.replaceAll('_', '-');

/** Returns the flag of a field: its name, or `body-world` if the name is a global flag. */
function freeFlag(location: Argument['location'], name: string): string {
	const flag = flagOf(name);
	return Object.hasOwn(GLOBAL_FLAGS, flag) ? `${location}-${flag}` : flag;
}

/** Returns a command. Its route's document is built when it is first needed, because a run usually needs one command. */
export function commandOf(cli: RouteDocument['cli'], build: () => RouteDocument): CliCommand {
	let built: RouteParts | undefined;
	const parts = () => {
		built ??= partsOf(build());
		return built;
	};
	return {
		words: cli.filter((word) => word !== undefined),
		get route() {
			return parts().route;
		},
		get arguments() {
			return parts().arguments;
		},
		get positionals() {
			return parts().positionals;
		},
		get generation() {
			return parts().generation;
		},
	};
}

type RouteParts = Omit<CliCommand, 'words'>;

function partsOf(route: RouteDocument): RouteParts {
	const path = fieldsOf('path', route.params);
	const query = fieldsOf('query', route.query);
	const body = fieldsOf('body', route.body);
	const fields = [...path, ...query, ...body];
	const usedNames = new Set(fields.map(({ flag }) => flag));
	const allArguments = fields.flatMap((field) => [field, ...membersOf(field, usedNames)]);
	return {
		route,
		arguments: allArguments,
		positionals: [...path, ...bodyPositionals(body, path.length > 0)],
		generation: body.find(({ key }) => key[0] === GENERATION),
	};
}

/**
 * Returns the fields of one location. A field of a body with several forms is required if every form requires it.
 */
function fieldsOf(location: Argument['location'], schema: JsonSchema | undefined): Argument[] {
	if (schema === undefined) return [];
	const forms = alternatives(schema);
	const argumentsByName = new Map<string, Argument>();
	for (const form of forms) {
		for (const [name, member] of Object.entries(propertiesOf(form))) {
			const earlier = argumentsByName.get(name);
			const required = name !== GENERATION && forms.every((other) => requiredOf(other).includes(name));
			const joined = earlier ? joinWords(earlier.schema, member) : member;
			argumentsByName.set(name, {
				flag: freeFlag(location, name),
				location,
				key: [name],
				schema: joined,
				required,
				description: descriptionOf(joined),
			});
		}
	}
	return [...argumentsByName.values()];
}

/** Joins two schemas that differ in a constant. The result allows both words. */
function joinWords(a: JsonSchema, b: JsonSchema): JsonSchema {
	const words = [a, b].flatMap((schema) =>
		schema.const === undefined ? (schema.enum ?? []) : [schema.const],
	);
	return Array.isArray(words) && words.length > 1 ? { type: 'string', enum: [...new Set(words)] } : a;
}

/** Returns the members of a small record as separate flags: `--position` for `transform.position`. */
function membersOf(field: Argument, usedNames: Set<string>): Argument[] {
	const schema = withoutNull(field.schema);
	const members = Object.entries(propertiesOf(schema));
	if (schema.type !== 'object' || !members.every(([, member]) => isSimple(member))) return [];
	return members.map(([name, member]) => {
		const short = flagOf(name);
		const flag =
			usedNames.has(short) || Object.hasOwn(GLOBAL_FLAGS, short) ? `${field.flag}-${short}` : short;
		usedNames.add(flag);
		return {
			...field,
			flag,
			key: [...field.key, name],
			schema: member,
			required: false,
			description: descriptionOf(member),
		};
	});
}

/**
 * Returns the texts and numbers that may be given by position: the required ones, then those with a default, except
 * words of a closed list.
 */
function bodyPositionals(body: readonly Argument[], hasPathArgument: boolean): Argument[] {
	const scalars = body.filter(({ schema }) => isScalar(schema));
	const required = scalars.filter((argument) => argument.required);
	const [firstScalar] = scalars;
	const withDefault = scalars.filter(
		({ required, schema }) =>
			!required && schema.default !== undefined && wordsOf(withoutNull(schema)) === undefined,
	);
	if (required.length > 0 || hasPathArgument) return [...required, ...withDefault];
	// A body with several forms, such as a path or a whole level: its first field selects the form.
	const isOptional =
		firstScalar?.schema.default === undefined &&
		firstScalar !== undefined &&
		withoutNull(firstScalar.schema) !== firstScalar.schema;
	return firstScalar !== undefined && body[0] === firstScalar && !isOptional ? [firstScalar] : [];
}

/** Returns a short example of use: `orrery entity damage <entity-id> [<amount>] [flags]`. */
export function usageOf(command: CliCommand): string {
	const positionals = command.positionals.map(({ flag, required }) =>
		required ? `<${flag}>` : `[<${flag}>]`,
	);
	const flags = command.arguments.length > command.positionals.length ? ['[flags]'] : [];
	return ['orrery', ...command.words, ...positionals, ...flags].join(' ');
}

/** Returns the commands by group, in declared order. A command of one word is its own group. */
export function groupsOf(commands: readonly CliCommand[]): Map<string, CliCommand[]> {
	const groups = new Map<string, CliCommand[]>();
	for (const command of commands) {
		const [group = ''] = command.words;
		groups.set(group, [...(groups.get(group) ?? []), command]);
	}
	return groups;
}
