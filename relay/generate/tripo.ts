/** Models of Tripo. https://platform.tripo3d.ai/docs/generation */

import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { download, messageIn, requestJson } from './http.ts';
import {
	keyOf,
	type ModelProvider,
	missingKey,
	type ProviderEnvironment,
	ProviderError,
} from './provider.ts';

const BASE_URL = 'https://api.tripo3d.ai/v2/openapi';
const VERSIONS = { low: 'lite', medium: 'default', high: 'v2.5-20250414' } as const;

interface TripoTask {
	readonly task_id?: string;
	readonly status?: string;
	readonly progress?: number;
	readonly output?: { readonly pbr_model?: string };
	readonly result?: { readonly pbr_model?: { readonly url?: string } };
}

export function tripo(environment: ProviderEnvironment): ModelProvider {
	const key = keyOf(environment, 'TRIPO_API_KEY');
	const callTripo = async (path: string, signal: AbortSignal, body?: unknown): Promise<TripoTask> => {
		const answer = await requestJson({
			url: `${BASE_URL}${path}`,
			method: body === undefined ? 'GET' : 'POST',
			key,
			body,
			signal,
		});
		if (answer.code !== 0)
			throw new ProviderError(`Tripo refused the call: ${messageIn(answer) || answer.code}.`, false);
		return (answer.data ?? {}) as TripoTask;
	};
	return {
		name: 'tripo',
		missing: missingKey(key, 'TRIPO_API_KEY'),
		async submit({ prompt, quality }, signal) {
			const body = { type: 'text_to_model', prompt, model_version: VERSIONS[quality] };
			const { task_id } = await callTripo('/task', signal, body);
			if (task_id === undefined) throw new ProviderError('Tripo returned no task id.', false);
			return task_id;
		},
		async poll(remote, _, signal) {
			const { status, progress, output, result } = await callTripo(
				`/task/${encodeURIComponent(remote)}`,
				signal,
			);
			if (status === 'success') {
				const url = output?.pbr_model ?? result?.pbr_model?.url;
				return { state: 'done', fetch: (signal) => download(url, MAX_DOCUMENT_BYTES, signal) };
			}
			if (['failed', 'cancelled', 'unknown', 'banned', 'expired'].includes(status ?? ''))
				return { state: 'failed', why: `Tripo ended the task: ${status}.` };
			return { state: 'pending', progress: Number(progress ?? 0) / 100 };
		},
	};
}
