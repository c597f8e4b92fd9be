/**
 * Prompts over the Model Context Protocol: each recipe is a prompt.
 * Owns: the text of a prompt.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Connection, readEngine } from './connection.ts';
import { ProtocolError } from './messages.ts';
import { textOf } from './results.ts';

interface RecipePrompt {
	readonly name: string;
	readonly title: string;
	readonly about: string;
	readonly holds?: string;
	readonly batch?: object;
}

const ARGUMENTS = [
	{ name: 'world', description: 'Name of a fork to build it in; default main', required: false },
];

const recipesOf = async (connection: Connection, query: string): Promise<readonly RecipePrompt[]> =>
	(await readEngine(connection, '/recipes', query)).value.recipes as RecipePrompt[];

export async function listPrompts(connection: Connection) {
	const recipes = await recipesOf(connection, '');
	return recipes.map(({ name, title, about }) => ({
		name,
		title,
		description: `${title}: ${about}`,
		arguments: ARGUMENTS,
	}));
}

/** Returns the prompt of a recipe. Rejects with a `ProtocolError` if there is none of that name. */
export async function promptOf(
	connection: Connection,
	name: unknown,
	promptArguments: Readonly<Record<string, unknown>>,
) {
	const query = new URLSearchParams({ name: String(name) }).toString();
	const [recipe] = await recipesOf(connection, query).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
		throw new ProtocolError(`${error.message} ${error.fix} prompts/list lists the prompts.`);
	});
	const { title, about, holds, batch } = recipe!;
	const { world } = promptArguments;
	const worldText = typeof world === 'string' ? ` and "world" ${JSON.stringify(world)}` : '';
	const text = [
		`Build this in Orrery: ${title}. ${about}`,
		`Use the tool "call" with "method" "POST", "path" "/batch"${worldText}, and this "body". Change it to fit the world:`,
		JSON.stringify(batch),
		...(holds === undefined ? [] : [`In an empty world, this condition is true afterwards: ${holds}`]),
		'Then look at it with "observe", and step.',
	].join('\n\n');
	return { description: title, messages: [{ role: 'user', content: textOf(text) }] };
}
