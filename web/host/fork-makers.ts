/** Which agent made which fork. Owns: that, and how many each may have. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Agent } from '../../shared/contract/principal.ts';

export class ForkMakers {
	readonly #by = new Map<string, number>();

	/** The number of the agent that made a fork; undefined for one that nobody made who had signed in. */
	of(id: string): number | undefined {
		return this.#by.get(id);
	}

	/** Which agent made which fork, to be told to another engine. */
	all(): readonly (readonly [fork: string, agent: number])[] {
		return [...this.#by];
	}

	/** As `all` once told it. */
	restore(makers: readonly (readonly [fork: string, agent: number])[]): void {
		for (const [fork, agent] of makers) this.#by.set(fork, agent);
	}

	/** An agent has made a fork; `ids` are those that there are now. Throws `agent_limit` for one more than it may have. */
	made(id: string, { number, id: name, limits }: Agent, ids: readonly string[]): void {
		for (const gone of [...this.#by.keys()]) if (!ids.includes(gone)) this.#by.delete(gone);
		this.#by.delete(id);
		const has = [...this.#by.values()].filter((maker) => maker === number).length;
		if (has >= limits.forks)
			throw new ApiError('agent_limit', `"${name}" already has ${has} forks; the limit is ${limits.forks}.`);
		this.#by.set(id, number);
	}
}
