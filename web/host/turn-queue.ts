/**
 * A queue of work, one piece at a time.
 * Owns: the order. Work of one party runs in the order of posting. Parties take turns, so that none blocks the others.
 */

/** Number of an agent; `anonymous` for all callers without a session; undefined for the operators and for the engine itself. */
export type Party = number | 'anonymous' | undefined;

/** Work that waits for its turn. */
interface WaitingTurn {
	readonly party: Party;
	readonly run: () => Promise<void>;
	readonly reject: (error: unknown) => void;
}

export interface Ticket {
	/** Leaves the queue with `error`, unless its turn has come. */
	leave(error: unknown): void;
}

/** Longest turn of an agent while another party waits, in milliseconds. */
const TURN_MS = 5000;

export class TurnQueue {
	readonly turnMs: number;
	#waitingTurns: WaitingTurn[] = [];
	#busy = false;
	/** Number of the last turn of each party, while any work waits. */
	readonly #served = new Map<Party, number>();
	#turns = 0;

	constructor(turnMs = TURN_MS) {
		this.turnMs = turnMs;
	}

	/** True while work runs. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Returns true if work of another party waits. */
	keepsWaiting(party: Party): boolean {
		return this.#waitingTurns.some((waiting) => waiting.party !== party);
	}

	/** Runs `work` when its turn comes, and resolves to its result. Calls `queued` if it has to wait. */
	post<T>(work: () => T | Promise<T>, queued?: (ticket: Ticket) => void, party?: Party): Promise<T> {
		if (!this.#busy) return this.#atOnce(work, party);
		return new Promise<T>((resolve, reject) => {
			const run = async () => {
				try {
					resolve(await work());
				} catch (error) {
					reject(error);
				}
			};
			const waiting: WaitingTurn = { party, run, reject };
			this.#waitingTurns.push(waiting);
			queued?.({ leave: (error) => this.#leave(waiting, error) });
		});
	}

	async #atOnce<T>(work: () => T | Promise<T>, party: Party): Promise<T> {
		this.#busy = true;
		this.#served.set(party, ++this.#turns);
		try {
			return await work();
		} finally {
			if (this.#waitingTurns.length === 0) this.#end();
			else void this.#run();
		}
	}

	#leave(waiting: WaitingTurn, error: unknown): void {
		const at = this.#waitingTurns.indexOf(waiting);
		if (at < 0) return;
		this.#waitingTurns.splice(at, 1);
		waiting.reject(error);
	}

	/** Runs all waiting work. */
	async #run(): Promise<void> {
		for (let next = this.#next(); next !== undefined; next = this.#next()) await next.run();
		this.#end();
	}

	/** Removes and returns the oldest work of the party whose last turn is longest ago. */
	#next(): WaitingTurn | undefined {
		const lastTurn = ({ party }: WaitingTurn) => this.#served.get(party) ?? 0;
		let at = 0;
		for (let i = 1; i < this.#waitingTurns.length; i++)
			if (lastTurn(this.#waitingTurns[i]!) < lastTurn(this.#waitingTurns[at]!)) at = i;
		const [next] = this.#waitingTurns.splice(at, 1);
		if (next !== undefined) this.#served.set(next.party, ++this.#turns);
		return next;
	}

	#end(): void {
		this.#busy = false;
		this.#served.clear();
	}
}
