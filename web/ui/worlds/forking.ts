/**
 * Creating, deleting and promoting forks.
 * Owns: their names, and the notices.
 */

import { formatNumber } from '../numbers.ts';
import { type ChanceTurn, forkRequests } from '../odds/chance-tree.ts';
import type { Branch } from '../odds/odds.ts';
import type { PanelServices } from '../services.ts';
import { ask, inWorld } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { freeForkName, MAIN, readForks, wayName } from './fork-list.ts';
import { freeTitle, titleIn } from './world-title.ts';
import type { WorldsState } from './worlds-state.ts';

const pastWords = ({ of, tick }: { readonly of: string; readonly tick: number }): string =>
	`${of} as it was at tick ${formatNumber(tick)}`;

export class Forking {
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
	}

	/** Returns a name that no listed fork has. */
	freeName(stem?: string): string {
		return freeForkName(new Set(this.#worlds.forks.value.map(({ id }) => id)), stem);
	}

	/**
	 * Creates a fork of a world under a free name and selects it. `past`: world and tick that `from` shows, with changes.
	 * Resolves to the id of the fork, or to null.
	 */
	async branch(
		from: string,
		name?: string,
		past?: { readonly of: string; readonly tick: number },
	): Promise<string | null> {
		const before = past?.of ?? this.#worlds.selected.value;
		const id = name ?? this.freeName();
		const outcome = await ask(this.#services, 'POST', '/fork', { body: { fork_id: id, from } });
		if (!outcome.ok) {
			this.#navigation.refuse('Branch', outcome.refusal);
			return null;
		}
		await this.#worlds.lookAt(id);
		const origin = past === undefined ? from : `${pastWords(past)}, with your changes`;
		this.#tell(id, `a copy of ${origin}`, before);
		return id;
	}

	/** Says where a new fork is, unless its line in Forks shows it. Undo deletes it and shows the world `before`. */
	#tell(id: string, what: string, before: string): void {
		if (this.#navigation.view.value === 'forks') return;
		const open = { label: 'Compare in Forks', take: () => this.#navigation.go('forks') };
		const undo = {
			label: 'Undo',
			take: () => {
				this.#worlds.select(before);
				void this.drop(id);
			},
		};
		this.#navigation.tell(`${id} is ${what}.`, 'The panels now show it.', open, undo);
	}

	/** Creates a fork of a world's past, at a tick or after a journal entry, and selects it. Resolves to its id, or to null. */
	async branchAt(
		of: string,
		at: { readonly entry: number } | { readonly tick: number },
	): Promise<string | null> {
		const id = this.freeName('past');
		const outcome = await ask(this.#services, 'POST', '/history/fork', { body: { fork_id: id, ...at, of } });
		if (!outcome.ok) {
			this.#navigation.refuse('Fork', outcome.refusal);
			return null;
		}
		await this.#worlds.lookAt(id);
		this.#tell(id, pastWords({ of, tick: outcome.body.tick }), of);
		return id;
	}

	/**
	 * Creates a fork for each of some outcomes of the next tick, and steps it with this outcome, all in one atomic call. Resolves
	 * to the ids of the forks, or to null.
	 */
	async branchOut(from: string, branches: readonly Branch[]): Promise<readonly string[] | null> {
		// The list of the panels may be half a second old.
		const listed = await ask(this.#services, 'GET', '/fork/list', { on: 'panels' });
		if (!listed.ok) {
			this.#navigation.refuse('Forks', listed.refusal);
			return null;
		}
		const usedNames = new Set(readForks(listed.body).map(({ id }) => id));
		const made: string[] = [];
		const requests = branches.flatMap(({ choices }) => {
			const fork_id = freeForkName(usedNames, wayName(choices));
			usedNames.add(fork_id);
			made.push(fork_id);
			const order = choices.map(({ rule, entity, outcome }) => ({ rule, entity, outcome }));
			return [
				{ path: '/fork', body: { fork_id, from } },
				{ path: `/fork/${fork_id}/step`, body: { choices: order } },
			];
		});
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests, atomic: true } });
		if (!outcome.ok) this.#navigation.refuse('Forks', outcome.refusal);
		this.#worlds.refresh();
		return outcome.ok ? made : null;
	}

	/** Creates a fork of a world along some outcomes, selects it, and shows it in Forks. */
	async branchAlong(from: string, way: readonly ChanceTurn[]): Promise<void> {
		const id = this.freeName(wayName(way.at(-1)?.choices ?? []));
		const requests = forkRequests(from, way, id);
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests, atomic: true } });
		if (!outcome.ok) return this.#navigation.refuse('Fork', outcome.refusal);
		await this.#worlds.lookAt(id);
		this.#navigation.go('forks');
		this.#navigation.tell(`${id} is ${from} along that branch.`, 'The panels now show it.');
	}

	async drop(id: string): Promise<void> {
		if (this.#worlds.selected.value === id) this.#worlds.select(MAIN);
		const outcome = await ask(this.#services, 'DELETE', '/fork/{id}', { params: { id } });
		if (!outcome.ok) this.#navigation.refuse('Drop', outcome.refusal);
		this.#worlds.refresh();
	}

	/**
	 * Makes a fork main, and keeps the old main as a fork under a free name. The promoted fork stays paused or playing. The route
	 * itself would keep the state of the old main.
	 */
	async promote(id: string): Promise<void> {
		const keep_as = this.freeName('was-main');
		const requests = [
			{ path: `/fork/${encodeURIComponent(id)}/promote`, body: { keep_as } },
			// With the name of what is main now it would be taken for a try of it.
			{ path: inWorld('/rename', keep_as), body: { name: this.#freeTitle() } },
		];
		const before = this.#worlds.selected.value;
		const isRunning = this.#worlds.main.value?.playing ?? false;
		const runs = this.#worlds.forks.value.find((fork) => fork.id === id)?.playing ?? false;
		// The id of the fork disappears, so main must be selected before.
		this.#worlds.select(MAIN);
		if (isRunning && !runs) await this.#run(false);
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests, atomic: true } });
		if (!outcome.ok) {
			this.#worlds.select(before);
			this.#navigation.refuse('Promote', outcome.refusal);
		}
		if (outcome.ok ? runs && !isRunning : isRunning && !runs) await this.#run(true);
		this.#worlds.refresh();
	}

	/** Returns a title for main as it was, that no world has. */
	#freeTitle(): string {
		const main = this.#worlds.main.value?.name;
		const names = [main, ...this.#worlds.forks.value.map(({ name }) => name)];
		return freeTitle(new Set(names.flatMap((name) => titleIn(name) ?? [])), titleIn(main) ?? 'World');
	}

	/** Runs or pauses main. */
	async #run(runs: boolean): Promise<void> {
		const outcome = await ask(this.#services, 'POST', runs ? '/play' : '/pause');
		if (!outcome.ok) this.#navigation.refuse(runs ? 'Play' : 'Pause', outcome.refusal);
	}
}
