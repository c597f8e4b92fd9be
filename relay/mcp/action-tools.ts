/**
 * Actions of a game as tools.
 * Owns: the typed tool of each action. The tools change when the scenario does, and are in the order of their names.
 */

import { type JsonSchema, jsonSchema, withPlainSchemas } from '../../shared/contract/json-schema.ts';
import { type ActionDocument, parametersSchema } from '../../shared/rules/action.ts';
import { actionCall, changes, type McpTool, queryOf, type ToolArguments, world } from './tools.ts';

/** Returns the tool of an action. An action with a parameter "world" takes that instead of the world. */
export function actionTool(action: ActionDocument): McpTool {
	const { name, parameters } = action;
	const ownWorld = Object.hasOwn(parameters, 'world');
	const schema = jsonSchema(parametersSchema(action), 'input');
	const own = Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, value]) => [
		key,
		plain(value),
	]);
	const properties = { ...Object.fromEntries(own), ...(ownWorld ? {} : { world }) };
	return {
		name,
		description: described(action),
		inputSchema: { ...schema, properties },
		annotations: changes(true),
		examples: [],
		advice: 'Ask the author of the scenario for a shorter answer: `answer` of its requests names fields.',
		call: ({ world: about, ...given }: ToolArguments) =>
			ownWorld
				? actionCall(name, { world: about, ...given }, '')
				: actionCall(name, given, queryOf({ world: about })),
	};
}

/** Returns the description of an action, with the names of the values in result lists. */
function described({ description, requests }: ActionDocument): string {
	const lists = requests.flatMap(({ answer }) => (answer == null ? [] : [`[${answer.join(', ')}]`]));
	return lists.length === 0
		? description
		: `${description} Lists in its results are: ${[...new Set(lists)].join(', ')}.`;
}

/** Returns a schema without the keywords of this project, which strict clients refuse. */
function plain({ unit: _, entity: __, ...schema }: JsonSchema): unknown {
	return withPlainSchemas(schema);
}
