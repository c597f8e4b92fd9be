/**
 * Models of Meshy. https://docs.meshy.ai/en/api/text-to-3d
 * The finest quality takes two tasks: a preview, and one that refines it, which is begun when the preview is there.
 */

import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { askJson, download, messageIn } from './http.ts';
import {
	keyOf,
	type ModelProvider,
	missingKey,
	type ProviderEnvironment,
	ProviderError,
} from './provider.ts';

const URL_OF_TASKS = 'https://api.meshy.ai/openapi/v2/text-to-3d';

interface MeshyTask {
	readonly status?: string;
	readonly progress?: number;
	readonly model_urls?: { readonly glb?: string };
	readonly task_error?: unknown;
}

export function meshy(environment: ProviderEnvironment): ModelProvider {
	const key = keyOf(environment, 'MESHY_API_KEY');
	/** The preview of a task that refines it -> that task: begun once, however often is asked. */
	const refining = new Map<string, Promise<string>>();

	async function begin(body: unknown, signal: AbortSignal): Promise<string> {
		const { result } = await askJson({ url: URL_OF_TASKS, method: 'POST', key, body, signal });
		if (typeof result !== 'string') throw new ProviderError('Meshy returned no task id.', false);
		return result;
	}

	async function look(id: string, signal: AbortSignal): Promise<MeshyTask> {
		return (await askJson({ url: `${URL_OF_TASKS}/${encodeURIComponent(id)}`, key, signal })) as MeshyTask;
	}

	function refined(preview: string, signal: AbortSignal): Promise<string> {
		let task = refining.get(preview);
		if (task === undefined) {
			task = begin({ mode: 'refine', preview_task_id: preview }, signal);
			refining.set(preview, task);
			// One that could not be begun is restarted when it is asked for again.
			task.catch(() => refining.delete(preview));
		}
		return task;
	}

	return {
		name: 'meshy',
		missing: missingKey(key, 'MESHY_API_KEY'),
		submit: ({ prompt, quality }, signal) =>
			begin({ mode: 'preview', prompt, art_style: 'realistic', should_remesh: quality !== 'low' }, signal),
		async poll(preview, { quality }, signal) {
			const first = await look(preview, signal);
			const twice = quality === 'high';
			if (twice && first.status === 'SUCCEEDED') {
				const second = await look(await refined(preview, signal), signal);
				return progressOf(second, 0.5, 0.5);
			}
			return progressOf(first, 0, twice ? 0.5 : 1);
		},
	};
}

function progressOf(task: MeshyTask, from: number, share: number) {
	const { status, progress, model_urls, task_error } = task;
	if (status === 'SUCCEEDED')
		return {
			state: 'done',
			fetch: (on: AbortSignal) => download(model_urls?.glb, MAX_DOCUMENT_BYTES, on),
		} as const;
	if (['FAILED', 'EXPIRED', 'CANCELED'].includes(status ?? ''))
		return { state: 'failed', why: `Meshy ended the task: ${messageIn(task_error) || status}` } as const;
	return { state: 'pending', progress: from + (share * Number(progress ?? 0)) / 100 } as const;
}
