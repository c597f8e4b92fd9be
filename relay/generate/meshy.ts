/**
 * Models of Meshy. https://docs.meshy.ai/en/api/text-to-3d
 * The highest quality takes two tasks: a preview, and then a task that refines it.
 */

import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { download, messageIn, requestJson } from './http.ts';
import {
	keyOf,
	type ModelProvider,
	missingKey,
	type ProviderEnvironment,
	ProviderError,
} from './provider.ts';

const TASKS_URL = 'https://api.meshy.ai/openapi/v2/text-to-3d';

interface MeshyTask {
	readonly status?: string;
	readonly progress?: number;
	readonly model_urls?: { readonly glb?: string };
	readonly task_error?: unknown;
}

export function meshy(environment: ProviderEnvironment): ModelProvider {
	const key = keyOf(environment, 'MESHY_API_KEY');
	/** Refining tasks by their preview. Each is started once, even if it is polled often. */
	const refiningTasks = new Map<string, Promise<string>>();

	async function startTask(body: unknown, signal: AbortSignal): Promise<string> {
		const { result } = await requestJson({ url: TASKS_URL, method: 'POST', key, body, signal });
		if (typeof result !== 'string') throw new ProviderError('Meshy returned no task id.', false);
		return result;
	}

	async function readTask(id: string, signal: AbortSignal): Promise<MeshyTask> {
		return (await requestJson({
			url: `${TASKS_URL}/${encodeURIComponent(id)}`,
			key,
			signal,
		})) as MeshyTask;
	}

	function refine(preview: string, signal: AbortSignal): Promise<string> {
		let task = refiningTasks.get(preview);
		if (task === undefined) {
			task = startTask({ mode: 'refine', preview_task_id: preview }, signal);
			refiningTasks.set(preview, task);
			// If it could not be started, the next poll tries again.
			task.catch(() => refiningTasks.delete(preview));
		}
		return task;
	}

	return {
		name: 'meshy',
		missing: missingKey(key, 'MESHY_API_KEY'),
		submit: ({ prompt, quality }, signal) =>
			startTask(
				{ mode: 'preview', prompt, art_style: 'realistic', should_remesh: quality !== 'low' },
				signal,
			),
		async poll(preview, { quality }, signal) {
			const previewTask = await readTask(preview, signal);
			const isRefined = quality === 'high';
			if (isRefined && previewTask.status === 'SUCCEEDED') {
				const refinedTask = await readTask(await refine(preview, signal), signal);
				return progressOf(refinedTask, 0.5, 0.5);
			}
			return progressOf(previewTask, 0, isRefined ? 0.5 : 1);
		},
	};
}

/** Returns the progress of a model. The task counts as the given share of it, after the part `from`. */
function progressOf(task: MeshyTask, from: number, share: number) {
	const { status, progress, model_urls, task_error } = task;
	if (status === 'SUCCEEDED')
		return {
			state: 'done',
			fetch: (signal: AbortSignal) => download(model_urls?.glb, MAX_DOCUMENT_BYTES, signal),
		} as const;
	if (['FAILED', 'EXPIRED', 'CANCELED'].includes(status ?? ''))
		return { state: 'failed', why: `Meshy ended the task: ${messageIn(task_error) || status}` } as const;
	return { state: 'pending', progress: from + (share * Number(progress ?? 0)) / 100 } as const;
}
