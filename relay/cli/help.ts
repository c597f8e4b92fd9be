/** Help texts, derived from the commands. */

import { type Example, hasBody } from '../../shared/contract/route.ts';
import { type CliCommand, groupsOf, usageOf } from './commands.ts';
import { exampleLine } from './example-line.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import { LOCAL_COMMANDS, type LocalCommand } from './local-commands.ts';
import { withoutNull } from './schema-form.ts';
import { syntaxOf } from './value-syntax.ts';

/** Returns rows as lines of two columns. */
export function formatTable(rows: readonly (readonly [string, string])[], indent = '  '): string {
	const width = Math.min(34, Math.max(0, ...rows.map(([left]) => left.length)));
	const gap = `\n${indent}${' '.repeat(width + 2)}`;
	return rows
		.map(([left, right]) =>
			left.length > width
				? `${indent}${left}${right === '' ? '' : gap}${right}`
				: `${indent}${left.padEnd(width)}  ${right}`.trimEnd(),
		)
		.join('\n');
}

const globalRows = (skip: readonly string[] = []): [string, string][] =>
	Object.entries(GLOBAL_FLAGS)
		.filter(([name]) => !skip.includes(name))
		.map(([name, { value, doc }]) => [`--${name}${value ? ` ${value}` : ''}`, doc]);

/** Returns the text of `orrery --help`. */
export function overviewText(commands: readonly CliCommand[]): string {
	const rows = [...groupsOf(commands)].map(([group, members]): [string, string] => {
		const [single] = members;
		if (members.length === 1 && single!.words.length === 1) return [group, single!.route.summary];
		return [group, members.map(({ words }) => words[1]).join(', ')];
	});
	const locals = LOCAL_COMMANDS.map(({ name, operands, summary }): [string, string] => [
		`${name} ${operands}`.trim(),
		summary,
	]);
	return `orrery <group> <verb> [arguments] [flags]

Drives a world over HTTP and prints each answer as JSON.

${formatTable([...rows])}

${formatTable(locals)}

Flags of every command

${formatTable(globalRows())}

Vectors: x,y,z. Lists of points: x,y,z:x,y,z.
Colliders: aabb:hx,hy,hz, sphere:radius, capsule:radius,half_height, cylinder:radius,half_height.
Exit codes: 0 success; 1 the call was refused or no server answered; 2 the command line has an error.
`;
}

/** Returns the help of a command that is not a route, such as `orrery suite --help`. */
export function localHelp({ name, operands, flags, switches = [], summary }: LocalCommand): string {
	const words = flags.map((flag) => `--${flag}${switches.includes(flag) ? '' : ' VALUE'}`);
	return `${[`orrery ${name}`, operands, ...words].filter((word) => word !== '').join(' ')}\n\n${summary}.\n\n${formatTable(globalRows())}\n`;
}

/** Returns the text of `orrery <group> --help`. */
export function groupHelp(group: string, members: readonly CliCommand[]): string {
	return `orrery ${group}\n\n${formatTable(members.map((command) => [usageOf(command), command.route.summary]))}\n`;
}

/** Returns the text of `orrery <group> <verb> --help`. */
export function commandHelp(command: CliCommand): string {
	const { route } = command;
	const flags = command.arguments.map(({ flag, schema, required, description }): [string, string] => {
		const { default: defaultValue } = withoutNull(schema);
		const defaultText = defaultValue === undefined ? '' : ` [${JSON.stringify(defaultValue)}]`;
		return [`--${flag} ${syntaxOf(schema)}`, `${description}${required ? ' (required)' : ''}${defaultText}`];
	});
	const skip = [...(route.world ? [] : ['world']), ...(hasBody(route.method) ? [] : ['body'])];
	const parts = [
		`${usageOf(command)}\n\n${route.summary}.${route.description ? ` ${route.description}` : ''}`,
		`${route.method} ${route.path}`,
		...(flags.length > 0 ? [formatTable(flags)] : []),
		formatTable(globalRows(skip)),
		`Examples\n\n${route.examples.map((example) => `  ${exampleLine(command, example as Example)}`).join('\n')}`,
	];
	return `${parts.join('\n\n')}\n`;
}
