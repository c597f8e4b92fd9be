/**
 * `orrery discover`: every command with its arguments.
 * Owns: the layout of that document, as JSON and as text.
 */

import { type Argument, type Command, groupsOf } from './commands.ts';
import { table } from './help.ts';
import { syntaxOf, withoutNull } from './schema-value.ts';

export interface Discovered {
	readonly version: string;
	/** Who told: a server's address, or this installation. */
	readonly source: string;
	readonly groups: readonly {
		name: string;
		description: string;
		requires_engine: boolean;
		/** The routes' tag. */
		scope: string;
		commands: readonly {
			name: string;
			description: string;
			method: string;
			path: string;
			effect: string;
			args: readonly {
				name: string;
				positional: boolean;
				type: string;
				required: boolean;
				default?: unknown;
				description: string;
			}[];
		}[];
	}[];
}

/** The document for all commands, or those of the groups whose name contains `group` and whose tag contains `scope`. */
export function discover(
	commands: readonly Command[],
	{ version, source }: { version: string; source: string },
	filter: { group?: string | undefined; scope?: string | undefined } = {},
): Discovered {
	const contains = (text: string, part: string | undefined) =>
		part === undefined || part === 'all' || text.toLowerCase().includes(part.toLowerCase());
	const groups = [...groupsOf(commands)]
		.filter(
			([name, members]) => contains(name, filter.group) && contains(members[0]!.route.tag, filter.scope),
		)
		.map(([name, members]) => ({
			name,
			description:
				members.length === 1 ? members[0]!.route.summary : members.map(({ words }) => words[1]).join(', '),
			requires_engine: true,
			scope: members[0]!.route.tag,
			commands: members.map((command) => ({
				name: command.words.at(-1)!,
				description: command.route.summary,
				method: command.route.method,
				path: command.route.path,
				effect: command.route.effect,
				args: command.arguments.map((argument) => describe(command, argument)),
			})),
		}));
	return { version, source, groups };
}

function describe(command: Command, argument: Argument) {
	const { default: usual } = withoutNull(argument.schema);
	return {
		name: argument.flag,
		positional: command.positionals.includes(argument),
		type: syntaxOf(argument.schema),
		required: argument.required,
		...(usual === undefined ? {} : { default: usual }),
		description: argument.description,
	};
}

/** The same as text: one line a group, or one group in full. */
export function discoverText({ version, source, groups }: Discovered, full: boolean): string {
	const heading = `Orrery ${version} (source: ${source})\n`;
	if (groups.length === 0) return `${heading}\nNo group matches. "orrery discover" lists all groups.\n`;
	if (!full) {
		const rows = groups.map(({ name, description }): [string, string] => [name, description]);
		return `${heading}\n${table(rows)}\n\n"orrery discover <group>" shows the arguments; --json prints everything.\n`;
	}
	const parts = groups.flatMap(({ name, commands }) =>
		commands.map((command) => {
			const words = command.name === name ? name : `${name} ${command.name}`;
			const rows = command.args.map((arg): [string, string] => [
				`${arg.positional && arg.required ? `<${arg.name}>` : `--${arg.name}`}: ${arg.type}`,
				`${arg.description}${arg.required ? ' (required)' : ''}${arg.default === undefined ? '' : ` [${JSON.stringify(arg.default)}]`}`,
			]);
			const head = `${words}    ${command.method} ${command.path}\n  ${command.description}`;
			return rows.length === 0 ? head : `${head}\n${table(rows, '    ')}`;
		}),
	);
	return `${heading}\n${parts.join('\n\n')}\n`;
}
