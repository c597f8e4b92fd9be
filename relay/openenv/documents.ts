/** Documents of OpenEnv that describe this server: schemas, metadata, paths and openenv.yaml. */

import * as z from 'zod';
import { VERSION } from '../../shared/contract/api-documents.ts';
import { checkpointShape } from './handle.ts';
import { actionShape, resetShape } from './requests.ts';

const json = (shape: z.ZodType, title: string): object => ({
	...z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }),
	title,
});

const observation = z.object({
	tick: z.int().describe('Ticks completed'),
	state_digest: z.string().describe('Digest of the state'),
	entity_count: z.int(),
	columns: z.array(z.string()).describe('id and the observed fields'),
	rows: z.array(z.array(z.unknown())).describe('One row per entity'),
	left_out: z.int().optional().describe('Entities beyond the limit'),
	values: z.record(z.string(), z.number()).optional().describe('Numbers that the scenario declares'),
});

const state = z.object({
	episode_id: z.string(),
	step_count: z.int(),
	attempt: z.int().describe('Increases with every reset that continues the episode'),
	tick: z.int(),
	state_digest: z.string(),
	future_digest: z.string().describe('Equal digests mean equal futures'),
	done: z.boolean(),
	total_reward: z.number(),
	seed: z.int().nullable(),
	handle: z.string().describe('Value of `handle` in a reset that continues exactly here'),
});

export const schemas = {
	action: json(actionShape, 'OrreryAction'),
	observation: json(observation, 'OrreryObservation'),
	state: json(state, 'OrreryState'),
	reset: json(resetShape, 'OrreryReset'),
	checkpoint: json(checkpointShape, 'OrreryCheckpoint'),
};

const DESCRIPTION =
	'A 3D world with exact odds, forks and digests. An episode is a fork of a scene; an action is a list of calls, or an action that the scenario declares, and ticks.';

export const metadata = {
	name: 'orrery',
	description: DESCRIPTION,
	version: VERSION,
	documentation_url: '/guide/openenv.html',
};

const path = (method: 'get' | 'post', summary: string): object => ({
	[method]: { summary, responses: { 200: { description: 'Done', content: { 'application/json': {} } } } },
});

export const openApi = {
	openapi: '3.1.0',
	info: { title: 'OpenEnv server of Orrery', version: VERSION },
	paths: {
		'/health': path('get', 'Health of the server'),
		'/metadata': path('get', 'Name and description'),
		'/schema': path('get', 'Schemas of action, observation and state'),
		'/reset': path('post', 'Begins an episode, or continues one'),
		'/step': path('post', 'Does an action and its ticks'),
		'/state': path('get', 'State of the episode, with a handle'),
		'/export': path('post', 'Checkpoint of a handle, for another server'),
		'/mcp': path('post', 'Refuses: the Model Context Protocol is at /mcp of the server'),
	},
};

export const openEnvYaml = `spec_version: 1
name: orrery
version: "${VERSION}"
description: "${DESCRIPTION}"
type: space
runtime: fastapi
app: orrery
port: 3917
`;
