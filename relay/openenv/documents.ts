/** Documents of OpenEnv that describe this server: schemas, metadata, paths and openenv.yaml. */

import type * as z from 'zod';
import { VERSION } from '../../shared/contract/api-documents.ts';
import { jsonSchema } from '../../shared/contract/json-schema.ts';
import {
	openEnvAction,
	openEnvCheckpoint,
	openEnvObservation,
	openEnvReset,
	openEnvState,
} from '../../shared/documents/openenv.ts';

const titledSchema = (shape: z.ZodType, title: string): object => ({ ...jsonSchema(shape, 'input'), title });

export const schemas = {
	action: titledSchema(openEnvAction, 'OrreryAction'),
	observation: titledSchema(openEnvObservation, 'OrreryObservation'),
	state: titledSchema(openEnvState, 'OrreryState'),
	reset: titledSchema(openEnvReset, 'OrreryReset'),
	checkpoint: titledSchema(openEnvCheckpoint, 'OrreryCheckpoint'),
};

const DESCRIPTION =
	'A 3D world with exact odds, forks and digests. An episode is a fork of a scene, or a task of the suite; an action is a list of calls, or an action that the scenario declares, and ticks.';

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
		'/reset': path('post', 'Starts an episode, or continues one'),
		'/step': path('post', 'Performs an action and its ticks'),
		'/state': path('get', 'State of the episode, with a handle'),
		'/export': path('post', 'Checkpoint of a handle, for another server'),
		'/close': path('post', 'Ends an episode over HTTP'),
		'/list_environments': path('get', 'Names of the environments that list tasks'),
		'/orrery/splits': path('get', 'Groups of tasks'),
		'/orrery/tasks': path('post', 'Tasks of a group'),
		'/orrery/num_tasks': path('post', 'Number of tasks of a group'),
		'/orrery/task': path('post', 'A task by its group and index'),
		'/orrery/task_range': path('post', 'Some tasks of a group'),
		'/mcp': path('post', 'Refused. The Model Context Protocol is at /mcp of the server'),
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
