/**
 * Queue of work that runs one piece at a time.
 * Owns: the order. Work of one party runs in the order of posting. Parties take turns, so that none blocks the others.
 */

/** Number of an agent; `anonymous` for all callers without a session; undefined for the operators and for the engine itself. */
export type Party = number | 'anonymous' | undefined;

/** Work that waits for its turn. */
interface WaitingWork {
	readonly party: Party;
	readonly run: () => Promise<void>;
	readonly reject: (error: unknown) => void;
}

/** Place of waiting work in the queue. */
export interface Ticket {
	/** Leaves the queue with `error`, unless its turn has come. */
	leave(error: unknown): void;
}

/** Maximum duration of an agent's work while another party waits (ms). */
const MAX_TURN_MS = 5000;

export class TurnQueue {
	/** Maximum duration of an agent's work while another party waits (ms). The queue does not enforce it. */
	readonly maxTurnMs: number;
	#waiting: WaitingWork[] = [];
	#isBusy = false;
	/** Number of the last turn of each party, while any work waits. */
	readonly #lastTurns = new Map<Party, number>();
	#turns = 0;

	constructor(maxTurnMs = MAX_TURN_MS) {
		this.maxTurnMs = maxTurnMs;
	}

	/** True while work runs. */
	get isBusy(): boolean {
		return this.#isBusy;
	}

	/** Returns true if work of another party waits. */
	hasOthersWaiting(party: Party): boolean {
		return this.#waiting.some((waiting) => waiting.party !== party);
	}

	/** Runs `work` when its turn comes, and resolves to its result. Calls `onQueued` if it has to wait. */
	post<T>(work: () => T | Promise<T>, onQueued?: (ticket: Ticket) => void, party?: Party): Promise<T> {
		if (!this.#isBusy) return this.#runNow(work, party);
		return new Promise<T>((resolve, reject) => {
			const run = async () => {
				try {
					resolve(await work());
				} catch (error) {
					reject(error);
				}
			};
			const waiting: WaitingWork = { party, run, reject };
			this.#waiting.push(waiting);
			onQueued?.({ leave: (error) => this.#leave(waiting, error) });
		});
	}

	async #runNow<T>(work: () => T | Promise<T>, party: Party): Promise<T> {
		this.#isBusy = true;
		this.#lastTurns.set(party, ++this.#turns);
		try {
			return await work();
		} finally {
			if (this.#waiting.length === 0) this.#end();
			else void this.#run();
		}
	}

	#leave(waiting: WaitingWork, error: unknown): void {
		const index = this.#waiting.indexOf(waiting);
		if (index < 0) return;
		this.#waiting.splice(index, 1);
		waiting.reject(error);
	}

	/** Runs all waiting work. */
	async #run(): Promise<void> {
		for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) await next.run();
		this.#end();
	}

	/** Removes and returns the oldest work of the party whose last turn is longest ago. */
	#takeNext(): WaitingWork | undefined {
		const lastTurn = ({ party }: WaitingWork) => this.#lastTurns.get(party) ?? 0;
		let index = 0;
		for (let i = 1; i < this.#waiting.length; i++)
			if (lastTurn(this.#waiting[i]!) < lastTurn(this.#waiting[index]!)) index = i;
		const [next] = this.#waiting.splice(index, 1);
		if (next !== undefined) this.#lastTurns.set(next.party, ++this.#turns);
		return next;
	}

	#end(): void {
		this.#isBusy = false;
		this.#lastTurns.clear();
	}
}
