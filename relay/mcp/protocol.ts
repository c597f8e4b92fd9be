/**
 * Methods of the Model Context Protocol, for every transport.
 * Owns: the methods of both eras and their answers. It stores nothing between requests.
 */

import { VERSION } from '../../shared/contract/api-documents.ts';
import { ApiError, errorBody } from '../../shared/contract/errors.ts';
import { nearest } from '../../shared/contract/nearest.ts';
import type { ActionDocument } from '../../shared/rules/action.ts';
import { NoServerError } from '../cli/terminal.ts';
import { actionTool } from './action-tools.ts';
import { type Connection, jsonOf, readEngine } from './connection.ts';
import {
	errorMessage,
	isRecord,
	LEGACY_VERSIONS,
	LISTEN,
	type McpRequest,
	MODERN_VERSIONS,
	NO_METHOD,
	ProtocolError,
	requireModern,
	resultMessage,
	subscriptionMeta,
	TOOLS_CHANGED,
} from './messages.ts';
import { translateFixes } from './phrases.ts';
import { withProgress } from './progress.ts';
import { listPrompts, promptOf } from './prompts.ts';
import { listResources, pictureUri, readResource, TEMPLATES } from './resources.ts';
import { albumResult, errorResult, pictureOf, type ToolResult, textOf, textResult } from './results.ts';
import {
	isAlbum,
	type ListedTool,
	MAX_SIDE,
	type McpTool,
	queryOf,
	recordOf,
	TOOLS,
	type ToolArguments,
} from './tools.ts';

const INSTRUCTIONS = `Orrery is a 3D world with a deterministic simulation. Time advances only with step, or with an action of the game.
observe reads the exact state. peek gives the exact odds of the next tick, and step draws from exactly these. fork makes a copy that evolves as the original would; give its name as "world".
act lists the moves of the game, if it has any; each is also a tool. describe and call reach everything else. Equal digests mean equal states.`;

const SERVER = { name: 'orrery', title: 'Orrery', version: VERSION };
const CAPABILITIES = { tools: { listChanged: true }, resources: {}, prompts: {} };

/** Milliseconds for which a client may cache an answer, by method. */
const CACHE_MS: Readonly<Record<string, number>> = {
	'server/discover': 3_600_000,
	'tools/list': 1000,
	'resources/list': 1000,
	'resources/templates/list': 3_600_000,
	'prompts/list': 3_600_000,
};

/** Returns the message that answers a request. Never rejects. */
export async function answerRequest(request: McpRequest, connection: Connection): Promise<object> {
	try {
		const { cacheMs, ...result } = await resultOf(request, connection);
		if (connection.era === 'legacy') return resultMessage(request.id, result);
		const ttlMs = cacheMs ?? CACHE_MS[request.method];
		return resultMessage(request.id, {
			...result,
			resultType: 'complete',
			...(ttlMs === undefined ? {} : { ttlMs, cacheScope: 'private' }),
			_meta: {
				'io.modelcontextprotocol/serverInfo': SERVER,
				...(request.method === LISTEN ? subscriptionMeta(request.id)._meta : {}),
			},
		});
	} catch (error) {
		if (error instanceof ApiError)
			return errorMessage(request.id, new Error(`${error.message} ${error.fix}`));
		return errorMessage(request.id, error);
	}
}

async function resultOf(
	request: McpRequest,
	connection: Connection,
): Promise<{ readonly [key: string]: unknown; readonly cacheMs?: number }> {
	const { method, params } = request;
	const isModern = connection.era === 'modern';
	if (isModern) requireModern(connection.version!);
	switch (method) {
		case 'server/discover':
			if (!isModern) break;
			return {
				supportedVersions: [...MODERN_VERSIONS],
				capabilities: CAPABILITIES,
				instructions: INSTRUCTIONS,
			};
		case 'initialize': {
			if (isModern) break;
			const { protocolVersion } = params;
			return {
				protocolVersion: LEGACY_VERSIONS.find((version) => version === protocolVersion) ?? LEGACY_VERSIONS[0],
				capabilities: CAPABILITIES,
				serverInfo: SERVER,
				instructions: INSTRUCTIONS,
			};
		}
		case 'ping':
			if (isModern) break;
			return {};
		case LISTEN:
			if (!isModern) break;
			return listen(request, connection);
		case 'tools/list':
			return { tools: await listTools(connection) };
		case 'tools/call':
			return { ...(await callTool(request, connection)) };
		case 'resources/list':
			return { resources: await listResources(connection) };
		case 'resources/templates/list':
			return { resourceTemplates: TEMPLATES };
		case 'resources/read':
			return readResource(connection, String(params.uri));
		case 'prompts/list':
			return { prompts: await listPrompts(connection) };
		case 'prompts/get':
			return promptOf(connection, params.name, isRecord(params.arguments) ? params.arguments : {});
	}
	throw new ProtocolError(`There is no method "${method}" in this version of the protocol.`, NO_METHOD);
}

/** Informs a client of changes of the tools until it cancels. Other changes are not supported. */
async function listen(
	{ id, params }: McpRequest,
	{ notify, signal, changes }: Connection,
): Promise<Record<string, never>> {
	if (notify === undefined)
		throw new ProtocolError(`The answer to "${LISTEN}" is a stream: accept text/event-stream.`);
	const wantsTools = isRecord(params.notifications) && params.notifications.toolsListChanged === true;
	const notifications = wantsTools ? { toolsListChanged: true } : {};
	await changes.follow(
		signal,
		() => notify('notifications/subscriptions/acknowledged', { ...subscriptionMeta(id), notifications }),
		() => {
			if (wantsTools) notify(TOOLS_CHANGED, subscriptionMeta(id));
		},
	);
	return {};
}

const actionsOf = async (connection: Connection, world?: string): Promise<readonly ActionDocument[]> =>
	(await readEngine(connection, '/action/list', queryOf({ world }))).value.actions as ActionDocument[];

/** Returns the tools of the main world: first those of every world, then the actions of its game. */
async function listTools(connection: Connection): Promise<readonly ListedTool[]> {
	// Without an engine the list has no actions. Each tool then reports that there is no engine.
	const actions = await actionsOf(connection).catch((error: unknown) => {
		if (error instanceof ApiError || error instanceof NoServerError) return [];
		throw error;
	});
	return [...TOOLS, ...actions.map(actionTool)].map(({ name, description, inputSchema, annotations }) => ({
		name,
		description,
		inputSchema,
		annotations,
	}));
}

/** Returns the tool with a name. Rejects with a `ProtocolError` if there is none. */
async function toolOf(name: unknown, toolArguments: ToolArguments, connection: Connection): Promise<McpTool> {
	const knownTool = TOOLS.find((tool) => tool.name === name);
	if (knownTool !== undefined) return knownTool;
	const { world } = toolArguments;
	const actions = await actionsOf(connection, typeof world === 'string' ? world : undefined);
	const action = actions.find((action) => action.name === name);
	if (action !== undefined) return actionTool(action);
	const names = [...TOOLS, ...actions].map((item) => item.name);
	const suggestedName = nearest(String(name), names);
	throw new ProtocolError(
		`There is no tool "${String(name)}". ${suggestedName === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean "${suggestedName}"?`}`,
	);
}

/** Calls a tool. An error that a model can correct becomes a result, not a protocol error. */
async function callTool(request: McpRequest, connection: Connection): Promise<ToolResult> {
	const { name, arguments: rawArguments } = request.params;
	const { signal } = connection;
	try {
		const toolArguments = recordOf('arguments', rawArguments ?? {});
		const tool = await toolOf(name, toolArguments, connection);
		if (tool.name === 'picture' && isLarge(toolArguments)) {
			if (!isAlbum(toolArguments)) return pictureLink(toolArguments, connection);
			throw new ApiError('invalid_body', `Pictures in an answer have at most ${MAX_SIDE} pixels a side.`, {
				fix: `Send a width and a height of at most ${MAX_SIDE}, or omit "report" and "cameras".`,
				path: 'width',
			});
		}
		const call = tool.call(toolArguments);
		const answer = await withProgress(request, call, connection, connection.send(call, signal));
		const picture = pictureOf(answer);
		if (picture !== undefined) {
			const { data, mimeType, tickText } = picture;
			return { content: [{ type: 'image', data, mimeType }, textOf(tickText)] };
		}
		const { text, value, isRefused } = jsonOf(answer);
		if (tool.name === 'picture' && !isRefused && Array.isArray(value.pictures)) return albumResult(value);
		const result = isRefused ? translateFixes(value, call.path) : (tool.selectPart?.(value) ?? text);
		return textResult(typeof result === 'string' ? result : JSON.stringify(result), isRefused, tool.advice);
	} catch (error) {
		if (error instanceof ApiError) return errorResult(JSON.stringify(translateFixes(errorBody(error), '/')));
		if (error instanceof NoServerError) return errorResult(error.message);
		throw error;
	}
}

const isLarge = ({ width, height }: ToolArguments): boolean =>
	[width, height].some((side) => typeof side === 'number' && side > MAX_SIDE);

/** Returns a link to a picture that is too large for the answer. */
function pictureLink({ world = 'main', ...size }: ToolArguments, { era, version }: Connection): ToolResult {
	const uri = pictureUri(String(world), queryOf(size));
	const description = 'The picture is too large for an answer. It is drawn when this resource is read.';
	// Versions before 2025-06-18 have no links.
	if (era === 'legacy' && (version ?? '') < '2025-06-18')
		return { content: [textOf(`${description} ${uri}`)] };
	const link = { type: 'resource_link', uri, name: 'picture', mimeType: 'image/webp', description };
	return { content: [link, textOf(description)] };
}
