/**
 * The game of the selected world, as declared routes report it.
 * Owns: the times of reading each part, and clearing the state of another world.
 */

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Answer } from '../../../shared/contract/route.ts';
import type { RouteAt } from '../../../shared/routes/index.ts';
import { type Entity, readEntities } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { environmentDescription } from '../worlds/environment-description.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { InputList } from './key-meanings.ts';
import { type MapFrame, mapFrame } from './map-points.ts';
import { type Goal, goalOf, type Match } from './match.ts';
import { isHero } from './units.ts';

const READ_MS = 150;
const REST_FACTOR = 3;
/** Interval between reads of data that rarely changes. */
const SELDOM_MS = 1000;

export type ShopItem = Answer<RouteAt<'GET', '/shop/list'>>['items'][number];

/** Listeners of a game's state. Both are called inside the batch that changes it. */
export interface GameListeners {
	/** Another world was selected, whose state is not read yet. */
	onOther(): void;
	/** The units and the match were read. */
	onRead(): void;
}

export class GameState {
	/** False before the first read of the world. */
	readonly known = signal(false);
	readonly tick = signal(0);
	readonly entities = signal<readonly Entity[]>([]);
	readonly byId = computed(() => new Map(this.entities.value.map((entity) => [entity.id, entity])));
	readonly heroes = computed(() => this.entities.value.filter(isHero));
	readonly match = signal<Match | null>(null);
	readonly items = signal<readonly ShopItem[]>([]);
	readonly map = signal<MapFrame | null>(null);
	/** Description of the goal by the game; null without one. */
	readonly about = signal<string | null>(null);
	/** Bindings of keys. */
	readonly input = signal<InputList | null>(null);
	/** The goal, if a number of a hero wins. */
	readonly goal = computed(() => {
		const found = this.#ruleGoal.value;
		return found !== null && this.heroes.value.some((hero) => typeof hero[found.field] === 'number')
			? found
			: null;
	});
	/** The goal that rules declare. */
	readonly #ruleGoal = signal<Goal | null>(null);
	readonly #services: PanelServices;
	readonly #worlds: WorldsState;
	readonly #onRead: () => void;
	readonly #often = paced({ minRest: READ_MS, factor: REST_FACTOR }, () => this.#readOften());
	readonly #seldom = paced({ minRest: SELDOM_MS, factor: REST_FACTOR }, () => this.#readSeldom());
	readonly #description = paced({ minRest: SELDOM_MS, factor: REST_FACTOR }, () => this.#readDescription());
	readonly #endings: readonly (() => void)[];

	constructor(services: PanelServices, worlds: WorldsState, { onOther, onRead }: GameListeners) {
		this.#services = services;
		this.#worlds = worlds;
		this.#onRead = onRead;
		this.#endings = [
			effect(() => {
				worlds.selected.value;
				batch(() => {
					this.entities.value = [];
					this.known.value = false;
					this.map.value = null;
					this.about.value = null;
					onOther();
				});
			}),
			effect(() => {
				worlds.changes.value;
				if (worlds.selectedInfo.value !== null) untracked(() => this.refresh());
			}),
		];
	}

	/** Requests another read soon. */
	refresh(): void {
		this.#often.ask();
		this.#seldom.ask();
	}

	stop(): void {
		for (const end of this.#endings) end();
		this.#often.stop();
		this.#seldom.stop();
		this.#description.stop();
	}

	#askOptions() {
		return { world: this.#worlds.selected.value, on: 'panels' } as const;
	}

	async #readOften(): Promise<void> {
		const here = this.#askOptions();
		const [list, game] = await Promise.all([
			ask(this.#services, 'POST', '/observe', here),
			ask(this.#services, 'GET', '/game/state', here),
		]);
		if (here.world !== this.#worlds.selected.value || !list.ok) return;
		const found = readEntities(list.body);
		if (found === null) return;
		const now = Number(list.body.tick);
		// An earlier tick means that another world replaced this one.
		if (!this.known.value || now < this.tick.value) this.#description.ask();
		batch(() => {
			this.entities.value = found;
			this.tick.value = now;
			this.known.value = true;
			// A world without a match refuses.
			this.match.value = game.ok ? game.body : null;
			this.map.value = mapFrame(found, this.map.value);
			this.#onRead();
		});
	}

	async #readDescription(): Promise<void> {
		const here = this.#askOptions();
		const description = await environmentDescription(this.#services, here.world);
		if (here.world === this.#worlds.selected.value) this.about.value = description;
	}

	async #readSeldom(): Promise<void> {
		const here = this.#askOptions();
		const [shop, keys, rules] = await Promise.all([
			ask(this.#services, 'GET', '/shop/list', here),
			ask(this.#services, 'GET', '/input/list', here),
			ask(this.#services, 'GET', '/rule/list', here),
		]);
		if (here.world !== this.#worlds.selected.value) return;
		batch(() => {
			if (shop.ok) this.items.value = shop.body.items.filter((item) => item.for_sale);
			if (keys.ok) this.input.value = keys.body;
			if (rules.ok) this.#ruleGoal.value = goalOf(rules.body.rules);
		});
	}
}
