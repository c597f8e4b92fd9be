/**
 * Steps that change nothing, shared with the workers of the host.
 * Owns: which steps a worker takes: the last ones, while the engine makes the first ones itself. Their rows are the same either way.
 */

import type { Answer } from '../../shared/contract/route.ts';
import { MAX_VALUE_ROWS, stepForks as route } from '../../shared/routes/forks.ts';
import type { World } from '../sim/core/world.ts';
import type { Host, HostWorker } from './context.ts';
import type { Body } from './step-forks.ts';

type Row = Answer<typeof route>['rows'][number];

/** The engine works alone for so long, and if it would soon be done (ms). */
const ALONE_MS = 20;
const WORTH_MS = 40;
/** Work that a worker takes at a time (ms). */
const PORTION_MS = 60;

export class SharedSteps {
	readonly #host: Host;
	readonly #body: Body;
	readonly #world: World;
	readonly #began: number;
	readonly #rows: (Row | undefined)[] = [];
	#workers: readonly HostWorker[] = [];
	readonly #asking = new Set<Promise<unknown>>();
	#hasBegun = false;
	#next = 0;
	#isStopped = false;
	/** Index after the last step that the engine makes itself, as far as is known. */
	end: number;

	private constructor(host: Host, body: Body, world: World) {
		this.#host = host;
		this.#body = body;
		this.#world = world;
		this.#began = host.now();
		this.end = body.steps.length;
	}

	/** Null for steps that depend on each other or on more than one world. */
	static of(host: Host, body: Body): SharedSteps | null {
		const { steps, fields, keep } = body;
		const from = steps[0]?.from;
		const world = from == null ? undefined : host.worlds.find(from)?.world;
		if (keep || world === undefined) return null;
		const isAlone = steps.every(
			({ from: other, fork_id, requests }) =>
				other === from && fork_id !== from && requests?.every(({ method }) => method !== 'GET') !== false,
		);
		const isLarge = fields != null && world.entities.count * steps.length > MAX_VALUE_ROWS;
		return isAlone && !isLarge ? new SharedSteps(host, body, world) : null;
	}

	/** After the engine made some of the first steps: lets workers begin once that is worth it. */
	made(count: number): void {
		this.#next = count;
		if (this.#hasBegun) return;
		const spent = this.#host.now() - this.#began;
		if (spent < ALONE_MS) return;
		const each = spent / count;
		if (each * (this.end - count) < WORTH_MS) return;
		this.#hasBegun = true;
		this.#workers = this.#host.workers();
		const { running } = this.#host;
		const cancel = running.onCancel;
		running.onCancel = () => {
			cancel();
			this.stop();
		};
		for (const worker of this.#workers) void this.#help(worker, PORTION_MS / each);
	}

	/** Ends what workers are doing. */
	stop(): void {
		this.#isStopped = true;
		for (const worker of this.#workers) worker.end();
	}

	async #help(worker: HostWorker, portion: number): Promise<void> {
		// The engine does not wait for this: it may be done before.
		await worker.load(this.#world);
		let size = portion;
		while (!this.#isStopped && this.end - this.#next > 1) {
			const count = Math.max(1, Math.min(Math.floor((this.end - this.#next) / 2), Math.round(size)));
			this.end -= count;
			const at = this.end;
			const began = this.#host.now();
			const asked = this.#ask(worker, at, count);
			this.#asking.add(asked);
			const rows = await asked;
			this.#asking.delete(asked);
			if (rows === null) return;
			for (const [i, row] of rows.entries()) if (row.ok) this.#rows[at + i] = row;
			size = (count * PORTION_MS) / Math.max(1, this.#host.now() - began);
		}
	}

	async #ask(worker: HostWorker, at: number, count: number): Promise<readonly Row[] | null> {
		const steps = this.#body.steps.slice(at, at + count).map((step) => ({ ...step, from: 'main' }));
		const answer = await worker.post(route.path, { ...this.#body, form: 'rows', steps });
		const { rows = [], left_out } = (answer ?? {}) as Partial<Answer<typeof route>>;
		if (rows.length < count || left_out !== undefined) return null;
		for (const { tick } of rows) this.#host.running.ticks += (tick ?? 0) - this.#world.tick;
		return rows;
	}

	/** The rows of the steps from `end` on, when workers are done; undefined for one that the engine has to make. */
	async rest(): Promise<readonly (Row | undefined)[]> {
		// A worker that is done with its portion finds that none is left.
		while (this.#asking.size > 0) await Promise.all(this.#asking);
		this.#isStopped = true;
		const rows = Array.from(
			{ length: this.#body.steps.length - this.end },
			(_, i) => this.#rows[this.end + i],
		);
		const values = rows.reduce((sum, row) => sum + (row?.values?.length ?? 0), 0);
		return values > MAX_VALUE_ROWS ? rows.map(() => undefined) : rows;
	}
}
