/**
 * Tasks that generate models.
 * Owns: the tasks, also on the disk, so that a restarted server resumes them. It polls providers at growing intervals
 * and stores their models. Never: knows a provider's protocol; has a key.
 */

import { ApiError, notOwner } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Customer, ModelSource, Task } from '../../shared/transport/errand.ts';
import type { DataFiles } from '../data-files.ts';
import { Faults } from '../faults.ts';
import { OwnFile } from '../own-file.ts';
import { countPaidModel, type PaidRules, type PaidTotals } from './paid-budget.ts';
import { type ModelProvider, type ModelQuality, ProviderError } from './provider.ts';

/** Folder of models below the data folder. */
export const FOLDER = 'generated';
/** Maximum number of tasks that run together. */
const MAX_RUNNING = 16;
/** Maximum number of stored tasks. Beyond it, the oldest ended task is removed. */
const MAX_STORED = 1000;
/** First wait between two polls, and the maximum (ms). Each wait is longer by the factor. */
const FIRST_WAIT_MS = 2000;
const MAX_WAIT_MS = 30_000;
const WAIT_FACTOR = 1.5;
/** Maximum number of consecutive temporary failures. */
const MAX_FAILURES = 8;
/** Maximum duration of a task (ms). After it the task has failed. */
const MAX_DURATION_MS = 2 * 60 * 60 * 1000;

/** A stored task. */
interface StoredTask extends Omit<Task, 'quality'> {
	readonly quality: ModelQuality;
	/** Id at its provider; undefined until the provider has returned it. */
	readonly remote?: string;
	/** True while a server submits it to its provider. */
	readonly submitting?: boolean;
	/** Time at which the task was ordered (ms since 1970). */
	readonly given: number;
	/** Id of the agent that ordered it and owns it; absent for operators, and on a server without sign-in. */
	readonly agent?: string;
}

export interface TasksOptions {
	readonly files: DataFiles;
	readonly providers: readonly ModelProvider[];
	/** Rules for paid models. The default allows none. */
	readonly paid?: PaidRules;
	/** Waits. Rejects if the signal is aborted. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
	/** Returns milliseconds since 1970. */
	readonly now?: () => number;
	readonly faults?: Faults;
}

export class Tasks {
	readonly #files: DataFiles;
	readonly #providers: readonly ModelProvider[];
	readonly #paid: PaidRules;
	readonly #file: OwnFile;
	readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
	readonly #now: () => number;
	readonly #faults: Faults;
	/** Tasks by id, oldest first. */
	readonly #tasks = new Map<string, StoredTask>();
	readonly #runningTasks = new Map<string, { readonly stop: AbortController; readonly end: Promise<void> }>();
	#next = 0;
	#paidTotals: PaidTotals | undefined;
	/** Resolves when the stored tasks have been read. */
	readonly #loading: Promise<void>;

	constructor({
		files,
		providers,
		paid = { perDay: undefined, allowed: false, gated: false },
		wait = waitFor,
		now = Date.now,
		faults = new Faults(files.folder),
	}: TasksOptions) {
		this.#files = files;
		this.#providers = providers;
		this.#paid = paid;
		this.#file = new OwnFile(files.folder, 'generated');
		this.#wait = wait;
		this.#now = now;
		this.#faults = faults;
		this.#loading = this.#resume();
		// Calls that read a task get this error too.
		this.#loading.catch((error: unknown) => faults.report(error));
	}

	providers(): readonly ModelSource[] {
		return this.#providers.map(({ name, missing }) => ({
			name,
			available: missing === undefined,
			...(missing === undefined ? {} : { hint: missing }),
		}));
	}

	/** Starts a task. It is on the disk when this resolves. Rejects with an `ApiError`. */
	async generate(order: {
		readonly prompt: string;
		readonly provider: string;
		readonly quality: string;
		readonly by: Customer;
	}): Promise<Task> {
		await this.#loading;
		const { prompt, quality, by } = order;
		const provider = this.#provider(order.provider);
		if (provider.missing !== undefined)
			throw new ApiError('no_provider_key', `The server has no key for ${provider.name}.`, {
				fix: `${provider.missing} Or use the provider procedural, which needs no key.`,
			});
		if (this.#runningTasks.size >= MAX_RUNNING)
			throw new ApiError('too_many_tasks', `${MAX_RUNNING} tasks are already running, which is the limit.`);
		const oldTotals = this.#paidTotals;
		if (provider.free !== true) this.#paidTotals = countPaidModel(this.#paid, oldTotals, by, this.#now());
		const task: StoredTask = {
			task_id: `gen_${this.#next++}`,
			prompt,
			provider: provider.name,
			quality: quality as ModelQuality,
			status: 'pending',
			progress: 0,
			given: this.#now(),
			...(by.agent === '' || by.operator ? {} : { agent: by.agent }),
		};
		this.#tasks.set(task.task_id, task);
		try {
			await this.#save();
		} catch (error) {
			this.#tasks.delete(task.task_id);
			this.#paidTotals = oldTotals;
			throw error;
		}
		this.#removeOldTasks();
		this.#start(task);
		return taskAnswer(task);
	}

	async task(task_id: string): Promise<Task> {
		return taskAnswer(await this.#find(task_id));
	}

	async tasks(): Promise<readonly Task[]> {
		await this.#loading;
		return [...this.#tasks.values()].map(taskAnswer);
	}

	/**
	 * Cancels a running task. The provider may continue its work. `agent_id`: an agent that may cancel only its own tasks.
	 */
	async cancel(task_id: string, agent_id?: string): Promise<Task> {
		const task = await this.#find(task_id);
		if (agent_id !== undefined && task.agent !== agent_id)
			throw notOwner(`The task "${task_id}"`, task.agent && `"${task.agent}"`);
		if (task.status !== 'pending')
			throw new ApiError('task_over', `The task "${task_id}" is already ${task.status}.`);
		const running = this.#runningTasks.get(task_id);
		running?.stop.abort(new Error('cancelled'));
		await running?.end;
		const stoppedTask = this.#tasks.get(task_id)!;
		// It may have ended by itself meanwhile.
		if (stoppedTask.status !== 'pending')
			throw new ApiError('task_over', `The task "${task_id}" is already ${stoppedTask.status}.`);
		return taskAnswer(await this.#updateTask(stoppedTask, { status: 'cancelled' }));
	}

	/** Stops all running tasks. The next server resumes them. */
	async close(): Promise<void> {
		// If the tasks could not be read, that was reported and none runs.
		await Promise.allSettled([this.#loading]);
		for (const { stop } of this.#runningTasks.values()) stop.abort(new Error('closing'));
		await Promise.all([...this.#runningTasks.values()].map(({ end }) => end));
	}

	/** Resolves when a task has ended or was stopped. */
	async waitForEnd(task_id: string): Promise<void> {
		await this.#runningTasks.get(task_id)?.end;
	}

	#provider(name: string): ModelProvider {
		const query = name.trim().toLowerCase();
		const provider = this.#providers.find((provider) => provider.name === query);
		if (provider !== undefined) return provider;
		const fix = suggestion(
			query,
			this.#providers.map((provider) => provider.name),
		);
		throw new ApiError(
			'unknown_provider',
			`There is no provider "${name.slice(0, 50)}".`,
			fix ? { fix } : {},
		);
	}

	async #find(task_id: string): Promise<StoredTask> {
		await this.#loading;
		const task = this.#tasks.get(task_id);
		if (task !== undefined) return task;
		const fix = suggestion(task_id, [...this.#tasks.keys()]);
		throw new ApiError('unknown_task', `There is no task "${task_id.slice(0, 50)}".`, fix ? { fix } : {});
	}

	async #resume(): Promise<void> {
		const stored = await this.#file.read(
			(value) => value as { next: number; tasks: readonly StoredTask[]; spent?: PaidTotals } | undefined,
		);
		this.#next = stored?.next ?? 0;
		this.#paidTotals = stored?.spent;
		for (const task of stored?.tasks ?? []) this.#tasks.set(task.task_id, task);
		for (const task of this.#tasks.values()) if (task.status === 'pending') this.#start(task);
	}

	#start(task: StoredTask): void {
		const stop = new AbortController();
		const end = this.#run(task, stop.signal)
			.catch(async (error: unknown) => {
				if (stop.signal.aborted) return;
				const why = error instanceof ProviderError ? error.message : this.#faults.describe(error);
				await this.#updateTask(this.#tasks.get(task.task_id)!, { status: 'failed', error: why });
			})
			.catch((error: unknown) => this.#faults.report(error))
			.finally(() => this.#runningTasks.delete(task.task_id));
		this.#runningTasks.set(task.task_id, { stop, end });
	}

	async #run(storedTask: StoredTask, signal: AbortSignal): Promise<void> {
		const provider = this.#providers.find(({ name }) => name === storedTask.provider);
		if (provider === undefined)
			throw new ProviderError(`The server no longer has the provider "${storedTask.provider}".`, false);
		if (provider.missing !== undefined) throw new ProviderError(provider.missing, false);
		let task = storedTask;
		if (task.remote === undefined) {
			// A paid task is not submitted twice. If the last server stopped while it submitted the task, its result is unknown.
			if (task.submitting === true && provider.free !== true)
				throw new ProviderError(
					'The server stopped while it submitted the task. The provider may or may not have started it.',
					false,
				);
			task = await this.#updateTask(task, { submitting: true });
			const remote = await this.#retry(signal, () => provider.submit(task, signal));
			task = await this.#updateTask(task, { remote, submitting: false });
		}
		const bytes = await this.#waitForModel(task, provider, signal);
		const { requireGlb } = await import('./check.ts');
		requireGlb(bytes);
		const file_path = await this.#storeModel(task, bytes);
		signal.throwIfAborted();
		await this.#updateTask(this.#tasks.get(task.task_id)!, { status: 'complete', file_path });
	}

	/** Writes a model to a free path, because callers may have saved other files there. Returns the path. */
	async #storeModel({ task_id, agent }: StoredTask, model: Uint8Array): Promise<string> {
		for (let n = 1; ; n++) {
			const path = `${FOLDER}/${task_id}${n === 1 ? '' : `-${n}`}.glb`;
			const { outcome, nameTaken, bytes } = await this.#files.create(path, model, agent);
			if (outcome === 'done') return path;
			if (nameTaken !== true) throw new ProviderError(Buffer.from(bytes).toString(), false);
		}
	}

	/** Polls the provider until the model is finished. Returns its bytes. */
	async #waitForModel(task: StoredTask, provider: ModelProvider, signal: AbortSignal): Promise<Uint8Array> {
		for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * WAIT_FACTOR)) {
			const result = await this.#retry(signal, () => provider.poll(task.remote!, task, signal));
			if (result.state === 'failed') throw new ProviderError(result.why, false);
			if (result.state === 'done') return this.#retry(signal, () => result.fetch(signal));
			if (this.#now() - task.given > MAX_DURATION_MS)
				throw new ProviderError('The provider did not finish within two hours.', false);
			const progress = Math.min(0.99, Math.max(0, Number.isFinite(result.progress) ? result.progress : 0));
			const current = this.#tasks.get(task.task_id)!;
			// Progress is not stored on the disk, because a restarted server polls for it again.
			this.#tasks.set(task.task_id, { ...current, progress });
			await this.#wait(wait, signal);
		}
	}

	/** Runs work, and repeats it after temporary failures, with growing waits. */
	async #retry<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		for (let failures = 1; ; failures++) {
			try {
				return await work();
			} catch (error) {
				if (!(error instanceof ProviderError && error.isTemporary) || failures >= MAX_FAILURES) throw error;
				await this.#wait(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * WAIT_FACTOR ** failures), signal);
			}
		}
	}

	async #updateTask(task: StoredTask, change: Partial<StoredTask>): Promise<StoredTask> {
		const { progress: _, ...rest } = task;
		const isPending = (change.status ?? task.status) === 'pending';
		const changedTask: StoredTask = { ...(isPending ? task : rest), ...change };
		this.#tasks.set(task.task_id, changedTask);
		await this.#save();
		return changedTask;
	}

	#removeOldTasks(): void {
		for (const { task_id, status } of this.#tasks.values()) {
			if (this.#tasks.size <= MAX_STORED) return;
			if (status !== 'pending') this.#tasks.delete(task_id);
		}
	}

	/** Stores the tasks on the disk. Rejects with `file_failed`. */
	async #save(): Promise<void> {
		try {
			await this.#file.write({ next: this.#next, tasks: [...this.#tasks.values()], spent: this.#paidTotals });
		} catch (error) {
			const why = this.#faults.describe(error);
			throw new ApiError('file_failed', `The server could not save its tasks: ${why}`);
		}
	}
}

function taskAnswer({ remote: _, given: __, submitting: ___, agent: ____, ...task }: StoredTask): Task {
	return task;
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		signal.throwIfAborted();
		const end = (): void => {
			clearTimeout(timer);
			reject(signal.reason as Error);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', end);
			resolve();
		}, ms);
		signal.addEventListener('abort', end, { once: true });
	});
}
