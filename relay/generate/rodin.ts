/** Models of Rodin, by Hyper3D. https://developer.hyper3d.ai/api-specification/rodin-generation */

import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { download, messageIn, requestJson } from './http.ts';
import {
	keyOf,
	type ModelProvider,
	missingKey,
	type ProviderEnvironment,
	ProviderError,
} from './provider.ts';

const BASE_URL = 'https://hyperhuman.deemos.com/api/v2';
const QUALITIES = { low: 'sketch', medium: 'regular', high: 'detail' } as const;

interface RodinJob {
	readonly uuid?: string;
	readonly status?: string;
	readonly progress?: number;
}

export function rodin(environment: ProviderEnvironment): ModelProvider {
	const key = keyOf(environment, 'RODIN_API_KEY');
	const post = (path: string, body: unknown, signal: AbortSignal) =>
		requestJson({ url: `${BASE_URL}${path}`, method: 'POST', key, body, signal });
	return {
		name: 'rodin',
		missing: missingKey(key, 'RODIN_API_KEY'),
		async submit({ prompt, quality }, signal) {
			const answer = await post(
				'/rodin',
				{
					prompt,
					condition_mode: 'concat',
					quality: QUALITIES[quality],
					geometry_file_format: 'glb',
				},
				signal,
			);
			const { uuid, subscription_key, jobs } = answer as {
				readonly uuid?: string;
				readonly subscription_key?: string;
				readonly jobs?: { readonly subscription_key?: string };
			};
			const subscription = subscription_key ?? jobs?.subscription_key;
			if (uuid === undefined || subscription === undefined)
				throw new ProviderError(`Rodin returned no task id${messageOf(answer)}.`, false);
			return JSON.stringify([uuid, subscription]);
		},
		async poll(remote, _, signal) {
			const [uuid, subscription_key] = JSON.parse(remote) as [string, string];
			const { jobs = [] } = (await post('/status', { subscription_key }, signal)) as {
				readonly jobs?: readonly RodinJob[];
			};
			const job = jobs.find((job) => job.uuid === uuid) ?? jobs[0];
			if (job?.status === 'Failed') return { state: 'failed', why: 'Rodin ended the task.' };
			const isDone = jobs.length > 0 && jobs.every(({ status }) => status === 'Done');
			if (!isDone) return { state: 'pending', progress: Math.min(99, Number(job?.progress ?? 0)) / 100 };
			return {
				state: 'done',
				async fetch(signal) {
					const { list = [] } = (await post('/download', { task_uuid: uuid }, signal)) as {
						readonly list?: readonly { readonly url?: string; readonly name?: string }[];
					};
					const file = list.find(({ name }) => name?.toLowerCase().endsWith('.glb')) ?? list[0];
					return download(file?.url, MAX_DOCUMENT_BYTES, signal);
				},
			};
		},
	};
}

const messageOf = (answer: unknown): string => {
	const words = messageIn(answer);
	return words === '' ? '' : `: ${words}`;
};
