/**
 * The worlds of a person: main, and the forks that are separate worlds.
 * Owns: selecting these forks, and the facts about each world. Never: stores a world; the engine has them all.
 */

import { computed, effect, signal, untracked } from '@preact/signals';
import { readEntities } from '../entities/entity.ts';
import { type Ending, ending, type Match, sides } from '../play/match.ts';
import { playedHere } from '../play/played.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import { MAIN, type WorldInfo } from '../worlds/fork-list.ts';
import { titleIn } from '../worlds/world-title.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';

/** Facts about a world for the start page. */
interface WorldFacts {
	/** Name of its declared game; null without one. */
	readonly scene: string | null;
	/** Time of its latest change (ISO 8601); null if the journal does not have it. */
	readonly used: string | null;
	/** Result of its finished match; null without one. */
	readonly ending: Ending | null;
}

/** Minimum interval of reads (ms), and number of ticks after which a running world is read again. */
const READ_MS = 2000;
const READ_TICKS = 600;
/** Number of journal entries in which the latest changes are searched. */
const RECENT = 1000;

/**
 * Returns main, unless it is empty, and every fork with another name than its parent. An experimental fork has the name of its
 * parent, and a fork of an old main has a separate name.
 */
export function ownWorlds(main: WorldInfo | null, forks: readonly WorldInfo[]): readonly WorldInfo[] {
	const names = new Map(forks.map(({ id, name }) => [id, name]));
	if (main !== null) names.set(MAIN, main.name);
	const own = forks.filter(({ parent, parentGone, name }) => parentGone || name !== names.get(parent!));
	const isEmpty = main === null || (main.tick === 0 && main.entityCount === 0);
	return isEmpty ? own : [main, ...own];
}

/** Returns the title of a world, or else its id. */
export const titleOf = ({ id, name }: Pick<WorldInfo, 'id' | 'name'>): string => titleIn(name) ?? id;

export class OwnWorlds {
	readonly list = computed(() => ownWorlds(this.#worlds.main.value, this.#worlds.forks.value));
	/** Facts of the read worlds, by id. */
	readonly facts = signal<ReadonlyMap<string, WorldFacts>>(new Map());
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #read = paced({ minRest: READ_MS }, () => this.#readFacts());
	readonly #end: () => void;

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		/** Changes when a world may have other facts. */
		const state = computed(() =>
			JSON.stringify(
				this.list.value.map(({ id, name, tick, playing }) => [
					id,
					name,
					playing,
					playing ? Math.floor(tick / READ_TICKS) : tick,
				]),
			),
		);
		this.#end = effect(() => {
			if (navigation.view.value === 'start' && state.value !== '[]') untracked(() => this.#read.ask());
		});
	}

	async rename({ id, name: before }: Pick<WorldInfo, 'id' | 'name'>, text: string): Promise<void> {
		const name = text.trim();
		if (name === '' || name === (titleIn(before) ?? id)) return;
		const outcome = await ask(this.#services, 'POST', '/rename', { world: id, body: { name } });
		if (!outcome.ok) this.#navigation.refuse('Rename', outcome.refusal);
		else if (id !== MAIN) this.#worlds.refresh();
	}

	/** Deletes a fork; empties main, which always exists. */
	async remove(id: string): Promise<void> {
		if (id !== MAIN) return this.#worlds.forking.drop(id);
		const requests = [{ path: '/pause' }, { path: '/reset', body: { fresh: true } }];
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests, atomic: true } });
		if (!outcome.ok) this.#navigation.refuse('Delete', outcome.refusal);
	}

	stop(): void {
		this.#end();
		this.#read.stop();
	}

	async #readFacts(): Promise<void> {
		const ids = this.list.peek().map(({ id }) => id);
		const uses = await this.#readUses(ids);
		const found = ids.map(async (id) => {
			const [scene, over] = await Promise.all([this.#readScene(id), this.#readEnding(id)]);
			return [id, { scene, used: uses.get(id) ?? null, ending: over }] as const;
		});
		this.facts.value = new Map(await Promise.all(found));
	}

	async #readScene(world: string): Promise<string | null> {
		const answer = await ask(this.#services, 'GET', '/', { world, on: 'panels' });
		return answer.ok ? answer.body.environment : null;
	}

	async #readEnding(world: string): Promise<Ending | null> {
		const game = await ask(this.#services, 'GET', '/game/state', { world, on: 'panels' });
		if (!game.ok || game.body.phase !== 'post_match') return null;
		const match: Match = game.body;
		const seen = await ask(this.#services, 'POST', '/observe', { world, on: 'panels' });
		const entities = seen.ok ? (readEntities(seen.body) ?? []) : [];
		return ending(match, playedHere(world, entities)?.team ?? null, sides(match, entities, []));
	}

	/** Returns the times of the latest changes, or the time of creation for a world without a recent change. */
	async #readUses(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
		const uses = new Map<string, string>();
		const journal = await ask(this.#services, 'GET', '/journal', { on: 'panels' });
		if (!journal.ok) return uses;
		const from = Math.max(journal.body.first, journal.body.next - RECENT);
		const recent = await ask(this.#services, 'GET', '/history', {
			query: { from, limit: RECENT },
			on: 'panels',
		});
		for (const { worlds, applied_at } of recent.ok ? recent.body.lines : [])
			for (const { world } of worlds) uses.set(world, applied_at);
		for (const of of ids) {
			if (uses.has(of)) continue;
			const made = await ask(this.#services, 'GET', '/history', { query: { of, limit: 1 }, on: 'panels' });
			const line = made.ok ? made.body.lines[0] : undefined;
			if (line !== undefined) uses.set(of, line.applied_at);
		}
		return uses;
	}
}

/** Returns the time since something, in the largest unit that fits: `just now`, `5 min ago`, `3 days ago`. */
export function agoWords(then: string, now: number): string {
	const minutes = Math.floor((now - Date.parse(then)) / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 60) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	if (hours < 24) return `${hours} h ago`;
	const days = Math.floor(hours / 24);
	return `${days} ${days === 1 ? 'day' : 'days'} ago`;
}
