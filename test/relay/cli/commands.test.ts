/**
 * Commands of the routes, without a server: their flags, their help, and the requests that they would send.
 * The list of routes comes from their declarations.
 */

import { describe, expect, test } from 'vitest';
import { type CliCommand, commandOf } from '../../../relay/cli/commands.ts';
import { exampleWords } from '../../../relay/cli/example-line.ts';
import { LOCAL_COMMANDS } from '../../../relay/cli/local-commands.ts';
import { runCommandLine } from '../../../relay/cli/run-command-line.ts';
import { routeDocument } from '../../../shared/contract/api-documents.ts';
import { type Example, hasBody } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { createTestTerminal } from './test-terminal.ts';

/** Address without a server: the port is reserved and needs special rights. */
const NOWHERE = 'http://127.0.0.1:1';

async function orrery(...argv: string[]) {
	const { terminal, printed } = createTestTerminal({ ORRERY_SERVER: NOWHERE }, new Map(), new Map());
	const code = await runCommandLine(argv, terminal);
	return { code, ...printed };
}

const commands = routes.map((route) => commandOf(route.cli, () => routeDocument(route)));
const nameOf = ({ words }: CliCommand) => words.join(' ');

test('each command has a unique name', () => {
	const names = commands.map(nameOf);
	expect(new Set(names).size).toBe(names.length);
	for (const { name } of LOCAL_COMMANDS) expect(commands.map(({ words }) => words[0])).not.toContain(name);
	expect(commands.length).toBe(routes.length);
});

describe.each(commands.map((command) => [nameOf(command), command] as const))('%s', (_, command) => {
	test('no two fields share a flag, and every field has one', () => {
		const flags = command.arguments.map(({ flag }) => flag);
		expect(new Set(flags).size).toBe(flags.length);
		for (const global of ['server', 'world', 'json', 'body', 'dry-run', 'output', 'help', 'version'])
			expect(flags).not.toContain(global);
	});

	test.each(command.route.examples.map((example: Example) => [example.name, example] as const))(
		'%s, sent exactly as in the example',
		async (__, example) => {
			const { code, out, error } = await orrery(...exampleWords(command, example), '--dry-run', '--json');
			expect(code).toBe(0);
			expect(JSON.parse(out)).toEqual(hasBody(command.route.method) ? (example.body ?? {}) : null);
			expect(decodeURIComponent(error)).toContain(decodeURIComponent(example.path ?? command.route.path));
		},
	);

	test('--help shows every field', async () => {
		const { code, out } = await orrery(...command.words, '--help');
		expect(code).toBe(0);
		expect(out).toContain(`${command.route.method} ${command.route.path}`);
		for (const { flag } of command.arguments) expect(out).toContain(`--${flag} `);
	});
});
