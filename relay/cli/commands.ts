/**
 * The commands, derived from the declared routes.
 * Owns: the argument for each field of a route. Never: a list of commands or of fields.
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
	/** Place of the value: a field, or a member of one. */
	readonly key: readonly string[];
	readonly schema: JsonSchema;
	readonly required: boolean;
	readonly description: string;
}

export interface CliCommand {
	/** Typed words: `['entity', 'create']`, or one word. */
	readonly words: readonly string[];
	readonly route: RouteDocument;
	/** All of them; each can be given as a flag. */
	readonly arguments: readonly Argument[];
	/** Those that can also be without a flag, in order. */
	readonly positionals: readonly Argument[];
	/** The field that is read from the engine when it is left out. */
	readonly generation: Argument | undefined;
}

/** An entity's generation: a typed command means the entity that lives there now. */
const GENERATION = 'entity_generation';

const flagOf = (name: string) => name.replaceAll('_', '-');

/** Returns the flag of a field: its name, or `body-world` where the name is a flag of every command. */
function freeFlag(location: Argument['location'], name: string): string {
	const flag = flagOf(name);
	return Object.hasOwn(GLOBAL_FLAGS, flag) ? `${location}-${flag}` : flag;
}

/** Returns a command that builds its route's document when it is first needed: most runs need those of one command. */
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
	const all = fields.flatMap((field) => [field, ...membersOf(field, usedNames)]);
	return {
		route,
		arguments: all,
		positionals: [...path, ...inOrder(body, path.length > 0)],
		generation: body.find(({ key }) => key[0] === GENERATION),
	};
}

/** Fields of one place. Of a body with several forms: those of all forms, required where every form requires them. */
function fieldsOf(location: Argument['location'], schema: JsonSchema | undefined): Argument[] {
	if (schema === undefined) return [];
	const forms = alternatives(schema);
	const found = new Map<string, Argument>();
	for (const form of forms) {
		for (const [name, member] of Object.entries(propertiesOf(form))) {
			const before = found.get(name);
			const required = name !== GENERATION && forms.every((other) => requiredOf(other).includes(name));
			const joined = before ? joinWords(before.schema, member) : member;
			found.set(name, {
				flag: freeFlag(location, name),
				location,
				key: [name],
				schema: joined,
				required,
				description: descriptionOf(joined),
			});
		}
	}
	return [...found.values()];
}

/** Forms that differ by a fixed word: either word. */
function joinWords(a: JsonSchema, b: JsonSchema): JsonSchema {
	const words = [a, b].flatMap((schema) =>
		schema.const === undefined ? (schema.enum ?? []) : [schema.const],
	);
	return Array.isArray(words) && words.length > 1 ? { type: 'string', enum: [...new Set(words)] } : a;
}

/** Members of a small record as flags of their own: `--position` for `transform.position`. */
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
 * Texts and numbers that can be without a flag: the required ones, then those with a default, words of a list
 * excepted.
 */
function inOrder(body: readonly Argument[], namedByPath: boolean): Argument[] {
	const scalars = body.filter(({ schema }) => isScalar(schema));
	const required = scalars.filter((argument) => argument.required);
	const [first] = scalars;
	const withDefault = scalars.filter(
		({ required, schema }) =>
			!required && schema.default !== undefined && wordsOf(withoutNull(schema)) === undefined,
	);
	if (required.length > 0 || namedByPath) return [...required, ...withDefault];
	// A body with several forms, such as a path or a whole level: its first field names what is meant.
	const nullable =
		first?.schema.default === undefined && first !== undefined && withoutNull(first.schema) !== first.schema;
	return first !== undefined && body[0] === first && !nullable ? [first] : [];
}

/** Returns a short example of use: `orrery entity damage <entity-id> [<amount>] [flags]`. */
export function usageOf(command: CliCommand): string {
	const positionals = command.positionals.map(({ flag, required }) =>
		required ? `<${flag}>` : `[<${flag}>]`,
	);
	const flags = command.arguments.length > command.positionals.length ? ['[flags]'] : [];
	return ['orrery', ...command.words, ...positionals, ...flags].join(' ');
}

/** Groups of commands in declared order; a command of one word is a group of its own. */
export function groupsOf(commands: readonly CliCommand[]): Map<string, CliCommand[]> {
	const groups = new Map<string, CliCommand[]>();
	for (const command of commands) {
		const [group = ''] = command.words;
		groups.set(group, [...(groups.get(group) ?? []), command]);
	}
	return groups;
}
