/** Models of Hunyuan 3D, from a service or from the operator's own server (HUNYUAN_BASE_URL). */

import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { download, messageIn, requestJson } from './http.ts';
import {
	keyOf,
	type ModelProvider,
	missingKey,
	type ProviderEnvironment,
	ProviderError,
} from './provider.ts';

const DEFAULT_BASE_URL = 'https://api.3daistudio.com';

export function hunyuan(environment: ProviderEnvironment): ModelProvider {
	const key = keyOf(environment, 'HUNYUAN_API_KEY');
	const ownBase = keyOf(environment, 'HUNYUAN_BASE_URL');
	const base = (ownBase ?? DEFAULT_BASE_URL).replace(/\/+$/, '');
	return {
		name: 'hunyuan',
		missing: ownBase === undefined ? missingKey(key, 'HUNYUAN_API_KEY, or HUNYUAN_BASE_URL,') : undefined,
		async submit({ prompt, quality }, signal) {
			const body = { type: 'text_to_3d', format: 'glb', resolution: quality, prompt };
			const { task_id } = await requestJson({
				url: `${base}/api/generate`,
				method: 'POST',
				key,
				body,
				signal,
			});
			if (typeof task_id !== 'string') throw new ProviderError('Hunyuan returned no task id.', false);
			return task_id;
		},
		async poll(remote, _, signal) {
			const task = await requestJson({ url: `${base}/api/task/${encodeURIComponent(remote)}`, key, signal });
			if (task.status === 'completed') {
				const url = new URL(String(task.result_url ?? ''), `${base}/`).href;
				// Only this service gets the key. Files may be on other servers.
				const service = { origin: new URL(base).origin, key };
				return { state: 'done', fetch: (signal) => download(url, MAX_DOCUMENT_BYTES, signal, service) };
			}
			if (task.status === 'failed')
				return {
					state: 'failed',
					why: `Hunyuan ended the task${messageIn(task) && `: ${messageIn(task)}`}.`,
				};
			const progress = Number(task.progress ?? 0);
			return { state: 'pending', progress: progress > 1 ? progress / 100 : progress };
		},
	};
}
