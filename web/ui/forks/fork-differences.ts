/**
 * Differences between main and the forks beside it.
 * Owns: reading them. Never: reads the same state twice.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { MAIN, type WorldInfo } from '../worlds/fork-list.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { type Differences, differencesOf, KNOWN_FIELDS, readKnown } from './differences.ts';
import { MadeValues } from './made-values.ts';

/** Maximum number of entries in each list of a difference. */
const MAX_ENTRIES = 300;

export class ForkDifferences {
	readonly #differences = new MadeValues<Differences>();
	/** Differences by fork. */
	readonly byFork = this.#differences.values;
	readonly #services: PanelServices;
	readonly #worlds: Pick<WorldsState, 'stampOf'>;

	constructor(services: PanelServices, worlds: Pick<WorldsState, 'stampOf'>) {
		this.#services = services;
		this.#worlds = worlds;
	}

	/** Reads the differences of changed forks. The first world is main. */
	async read([main, ...forks]: readonly WorldInfo[]): Promise<void> {
		if (main === undefined) return;
		const { stampOf } = this.#worlds;
		const stale = forks.filter((fork) =>
			this.#differences.isNew(fork.id, `${stampOf(fork)} ${stampOf(main)}`),
		);
		if (stale.length === 0) return;
		const base = await this.#readKnown(MAIN);
		for (const { id } of stale) {
			const found = await this.#against(id, base);
			// The fork may be deleted. Otherwise the next read tries again.
			if (found === null) this.#differences.again(id);
			else this.#differences.set(id, found);
		}
	}

	keepOnly(worlds: ReadonlySet<string>): void {
		this.#differences.keepOnly(worlds);
	}

	/** Returns the labels, teams and places of a world's entities. */
	async #readKnown(world: string) {
		const body = { fields: [...KNOWN_FIELDS] };
		const read = await ask(this.#services, 'POST', '/observe', { world, body, on: 'panels' });
		return read.ok ? readKnown(read.body.columns ?? [], read.body.rows ?? []) : null;
	}

	/** Returns the differences of a fork from main; null after a failure. */
	async #against(id: string, base: ReturnType<typeof readKnown> | null): Promise<Differences | null> {
		const there = await this.#readKnown(id);
		const query = { against: MAIN, limit: MAX_ENTRIES };
		const diff = await ask(this.#services, 'GET', '/fork/{id}/diff', { params: { id }, query, on: 'panels' });
		if (!diff.ok || base === null || there === null) return null;
		return differencesOf(diff.body, { main: base.entities, fork: there.entities, team: base.team });
	}
}
