/**
 * State of the view Play: the game, the played or watched unit, and the calls to the game. It exists while the view is shown.
 * Owns: the followed unit. `game` reads the world, and `log` has its events.
 */

import { computed, effect, signal, untracked } from '@preact/signals';
import type { Body } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import type { Entity } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { FEED_KINDS } from './feed.ts';
import { GameState, type ShopItem } from './game-state.ts';
import { InputSenders } from './input-senders.ts';
import { keyMeanings, keysOfAction } from './key-meanings.ts';
import { ending, otherPlayers, sides } from './match.ts';
import { MatchLog } from './match-log.ts';
import { MatchRecord } from './match-record.ts';
import { letGo, playedHere, takeOver } from './played.ts';
import { chronicleOf, tellStory } from './story.ts';
import { abilitiesOf, candidates } from './units.ts';
import { walkLetters } from './walk-letters.ts';

/** Speeds of a watched game. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

export interface PlayServices {
	readonly services: PanelServices;
	readonly worlds: WorldsState;
	readonly navigation: Navigation;
}

export class Play {
	readonly game: GameState;
	readonly log = new MatchLog();
	readonly record: MatchRecord;
	readonly speed = signal(1);
	/** Open panel over the picture. */
	readonly open = signal<'shop' | 'map' | null>(null);
	readonly running = computed(() => this.#panels.worlds.selectedInfo.value?.playing ?? false);
	/** Entity that this person plays; null while watching. */
	readonly mine = computed(() => {
		this.#takeovers.value;
		return playedHere(this.#world, this.game.entities.value);
	});
	/** Entity that the camera follows: the played or the watched one; null for the free camera. */
	readonly followed = computed(
		() => this.mine.value ?? this.game.byId.value.get(this.#watchedId.value ?? -1) ?? null,
	);
	readonly others = computed(() =>
		otherPlayers(
			this.game.entities.value,
			this.mine.value?.id ?? null,
			this.#senders.at(this.game.tick.value),
		),
	);
	readonly sides = computed(() =>
		sides(this.game.match.value, this.game.entities.value, this.others.value, this.game.goal.value),
	);
	readonly ending = computed(() =>
		ending(this.game.match.value, this.mine.value?.team ?? null, this.sides.value),
	);
	/** Story of a finished match, from the engine's record; null before it is read. */
	readonly story = computed(() => {
		const over = this.game.match.value;
		const kept = this.record.kept.value;
		if (this.ending.value === null || over === null || kept === null) return null;
		const { started, since } = kept;
		const teamOf = (id: number) => this.game.byId.value.get(id)?.team;
		const chronicle = chronicleOf(kept, this.sides.value, teamOf, this.mine.value?.id ?? null, since);
		return tellStory(chronicle, this.sides.value, {
			started,
			since,
			ended: over.ended_at ?? this.game.tick.value,
			winner: over.winner_team,
		});
	});
	readonly #panels: PlayServices;
	readonly #senders: InputSenders;
	readonly #meanings = computed(() => keyMeanings(this.game.input.value));
	/** Sent key by letter, for letters that walk. */
	readonly walkLetters = computed(() => {
		const slots = this.mine.value === null ? [] : abilitiesOf(this.mine.value).map(({ slot }) => slot);
		return walkLetters(this.#meanings.value, slots);
	});
	readonly #watchedId = signal<number | null>(null);
	/** Increases when this page takes over or releases an entity. */
	readonly #takeovers = signal(0);
	/** Last known state of the played unit. */
	#wasDead: { readonly id: number; readonly isDead: boolean } | null = null;
	readonly #endings: readonly (() => void)[];

	constructor(panels: PlayServices) {
		const { services, worlds } = panels;
		this.#panels = panels;
		this.#senders = new InputSenders(services, worlds);
		this.record = new MatchRecord(services);
		this.game = new GameState(services, worlds, {
			onOther: () => {
				this.log.forget();
				this.record.forget();
				this.#watchedId.value = null;
				this.open.value = null;
			},
			onRead: () => this.log.atTick(this.game.tick.value),
		});
		this.#endings = [
			effect(() => this.#noteDeath()),
			effect(() => this.#readRecord()),
			...this.#directView(),
		];
	}

	/** Returns the meaning of a key in the world, or null. */
	meaning(key: string): string | null {
		return this.#meanings.value.get(key) ?? null;
	}

	/** Returns the keys of an action, those of a keyboard first. */
	keysOf(action: string): readonly string[] {
		return keysOfAction(this.#meanings.value, action);
	}

	/** Reads the record of a finished match, and forgets it when another match is played. */
	#readRecord(): void {
		const over = this.game.match.value;
		if (this.ending.value === null || over === null) this.record.forget();
		else
			void this.record.read({
				world: this.#world,
				started: over.started_at ?? 0,
				ended: over.ended_at ?? this.game.tick.value,
				goal: this.game.goal.value,
				scores: over.scores,
			});
	}

	async run(speed = this.speed.value): Promise<void> {
		if (await this.#send('Play', '/play', { speed })) this.speed.value = speed;
	}

	async hold(): Promise<void> {
		await this.#send('Pause', '/pause', undefined);
	}

	async take(entity: Entity): Promise<void> {
		this.#afterTaking('Play this unit', await takeOver(this.#panels.services, this.#world, entity));
	}

	async letGo(): Promise<void> {
		const entity = this.mine.value;
		if (entity === null) return;
		this.watch(entity);
		this.#afterTaking('Stop playing', await letGo(this.#panels.services, this.#world, entity));
	}

	/** Watches the next hero. */
	next(): void {
		const all = candidates(this.game.entities.value);
		const at = all.findIndex(({ id }) => id === this.#watchedId.value);
		this.#watchedId.value = all[(at + 1) % all.length]?.id ?? null;
	}

	watch({ id }: Entity): void {
		this.#watchedId.value = id;
	}

	/** Stops following an entity. */
	free(): void {
		this.#watchedId.value = null;
	}

	async buy(item: ShopItem): Promise<void> {
		const entity = this.mine.value;
		if (entity === null) return;
		await this.#send('Buy', '/shop/buy', {
			entity_id: entity.id,
			entity_generation: entity.generation,
			item_id: item.id,
		});
	}

	/** Shows a line in the feed. */
	tell(text: string): void {
		this.log.say(this.game.tick.value, text);
	}

	stop(): void {
		for (const end of this.#endings) end();
		this.#senders.stop();
		this.game.stop();
		const view = this.#panels.services.view.value;
		view?.follow(null);
		view?.watch(null);
	}

	get #world(): string {
		return this.#panels.worlds.selected.value;
	}

	async #send<P extends PathOf<'POST'>>(
		what: string,
		path: P,
		body: Body<RouteAt<'POST', P>>,
	): Promise<boolean> {
		const { services, navigation } = this.#panels;
		const outcome = await ask(services, 'POST', path, { world: this.#world, body });
		if (!outcome.ok) navigation.refuse(what, outcome.refusal);
		this.game.refresh();
		return outcome.ok;
	}

	#afterTaking(what: string, refusal: Refusal | null): void {
		if (refusal !== null) this.#panels.navigation.refuse(what, refusal);
		this.#takeovers.value++;
		this.game.refresh();
	}

	/** Shows a line when the played unit dies or returns. */
	#noteDeath(): void {
		const isDead = this.mine.value?.dead === true;
		const id = this.mine.value?.id ?? null;
		untracked(() => {
			if (this.#wasDead?.id === id && this.#wasDead.isDead !== isDead)
				this.tell(isDead ? 'You have fallen' : 'You are back');
			this.#wasDead = id === null ? null : { id, isDead };
		});
	}

	/** Sets the followed and named units of the 3D view, and adds its events to the log. */
	#directView(): readonly (() => void)[] {
		const { view } = this.#panels.services;
		/** Ids of heroes as a text, which changes only with the list. */
		const watched = computed(() => this.game.heroes.value.map(({ id }) => id).join());
		const mine = computed(() => this.mine.value?.id ?? null);
		return [
			effect(() => view.value?.follow(this.followed.value?.id ?? null)),
			effect(() => {
				const ids = watched.value === '' ? [] : watched.value.split(',').map(Number);
				view.value?.watch({ ids, kinds: FEED_KINDS, mine: mine.value });
			}),
			effect(() =>
				view.value?.onHappened((events) => this.log.takeEvents(events, this.game.byId.value, mine.value)),
			),
		];
	}
}
