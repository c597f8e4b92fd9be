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

const pathDocument = (method: 'get' | 'post', summary: string): object => ({
	[method]: { summary, responses: { 200: { description: 'Done', content: { 'application/json': {} } } } },
});

export const openApi = {
	openapi: '3.1.0',
	info: { title: 'OpenEnv server of Orrery', version: VERSION },
	paths: {
		'/health': pathDocument('get', 'Health of the server'),
		'/metadata': pathDocument('get', 'Name and description'),
		'/schema': pathDocument('get', 'Schemas of action, observation and state'),
		'/reset': pathDocument('post', 'Starts an episode, or continues one'),
		'/step': pathDocument('post', 'Performs an action and its ticks'),
		'/state': pathDocument('get', 'State of the episode, with a handle'),
		'/export': pathDocument('post', 'Checkpoint of a handle, for another server'),
		'/close': pathDocument('post', 'Ends an episode over HTTP'),
		'/list_environments': pathDocument('get', 'Names of the environments that list tasks'),
		'/orrery/splits': pathDocument('get', 'Groups of tasks'),
		'/orrery/tasks': pathDocument('post', 'Tasks of a group'),
		'/orrery/num_tasks': pathDocument('post', 'Number of tasks of a group'),
		'/orrery/task': pathDocument('post', 'A task by its group and index'),
		'/orrery/task_range': pathDocument('post', 'Some tasks of a group'),
		'/mcp': pathDocument('post', 'Refused. The Model Context Protocol is at /mcp of the server'),
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
