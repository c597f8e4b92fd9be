/**
 * Actions of a game as tools.
 * Owns: the tool of each action. The tools change with the scenario.
 */

import { type JsonSchema, jsonSchema, withPlainSchemas } from '../../shared/contract/json-schema.ts';
import { type ActionDocument, parametersSchema } from '../../shared/rules/action.ts';
import { actionCall, type McpTool, queryOf, type ToolArguments, world, writeAnnotations } from './tools.ts';

/** Returns the tool of an action. If the action has a parameter "world", the tool cannot select a world. */
export function actionTool(action: ActionDocument): McpTool {
	const { name, parameters } = action;
	const hasWorldParameter = Object.hasOwn(parameters, 'world');
	const schema = jsonSchema(parametersSchema(action), 'input');
	const parameterSchemas = Object.entries(schema.properties as Record<string, JsonSchema>).map(
		([key, value]) => [key, withoutOwnKeywords(value)],
	);
	const properties = { ...Object.fromEntries(parameterSchemas), ...(hasWorldParameter ? {} : { world }) };
	return {
		name,
		description: descriptionOf(action),
		inputSchema: { ...schema, properties },
		annotations: writeAnnotations(true),
		examples: [],
		advice: 'Ask the author of the scenario for a shorter answer: `answer` of its requests names fields.',
		call: ({ world: worldArgument, ...rest }: ToolArguments) =>
			hasWorldParameter
				? actionCall(name, { world: worldArgument, ...rest }, '')
				: actionCall(name, rest, queryOf({ world: worldArgument })),
	};
}

/** Returns the description of an action, with the names of the values in result lists. */
function descriptionOf({ description, requests }: ActionDocument): string {
	const lists = requests.flatMap(({ answer }) => (answer == null ? [] : [`[${answer.join(', ')}]`]));
	return lists.length === 0
		? description
		: `${description} Lists in its results are: ${[...new Set(lists)].join(', ')}.`;
}

/** Returns a schema without the keywords of this project, which strict clients refuse. */
function withoutOwnKeywords({ unit: _, entity: __, ...schema }: JsonSchema): unknown {
	return withPlainSchemas(schema);
}
