/**
 * Tasks of the pool's workers.
 * Owns: the list of tasks by kind, and the data that a worker keeps between tasks.
 */

import type { World } from '../sim/core/world.ts';
import type { FutureShare } from '../sim/peek/share.ts';
import type { Host, PoolTask } from './context.ts';
import { jobsTask } from './jobs.ts';
import { shareTask } from './shared-futures.ts';
import { stepTask } from './step-forks.ts';

export interface PoolMemory {
	/** Worlds by their versions. Tasks work on copies. */
	readonly worlds: ReadonlyMap<number, World>;
	/** The worker's share of states while it searches futures; null otherwise. */
	share: FutureShare | null;
}

type RunTask = (host: Host, memory: PoolMemory, body: never) => Promise<unknown>;

const tasks: Readonly<Record<string, RunTask>> = {
	steps: (host, { worlds }, body) => stepTask(host, worlds, body),
	jobs: (host, { worlds }, body) => jobsTask(host, worlds, body),
	share: shareTask,
};

/** Runs a task. Returns null if only the engine of the pool can run it. */
export const runTask = (host: Host, memory: PoolMemory, { kind, body }: PoolTask): Promise<unknown> =>
	tasks[kind]!(host, memory, body as never);
