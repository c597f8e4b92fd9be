/**
 * State of the view Play: the game, the played or watched unit, and the calls to the game. It exists while the view is shown.
 * Owns: the followed unit. `game` reads the world, and `log` has its events.
 */

import { computed, effect, signal, untracked } from '@preact/signals';
import type { Entity } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { type AskOutcome, ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { FEED_KINDS } from './feed.ts';
import { GameState, type ShopItem } from './game-state.ts';
import { dueHints, Hints } from './hints.ts';
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

/** Ticks that a match runs on after its end. */
const AFTER_END_TICKS = 180;

export interface PlayServices {
	readonly services: PanelServices;
	readonly worlds: WorldsState;
	readonly navigation: Navigation;
}

export class Play {
	readonly game: GameState;
	readonly log = new MatchLog();
	readonly hints = new Hints();
	readonly record: MatchRecord;
	/** True after the first input of this page, which ends the introduction. */
	readonly begun = signal(false);
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
	/** End of the match after which this page paused the world. */
	#pausedEnd: number | null = null;
	/** The played unit as it was last seen. */
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
				this.hints.forget();
				this.record.forget();
				this.#watchedId.value = null;
				this.open.value = null;
			},
			onRead: () => this.#afterReading(),
		});
		this.#endings = [
			effect(() => this.#noteDeath()),
			effect(() => this.#readRecord()),
			effect(() => this.#pauseAfterEnd()),
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
		const played = ask(this.#panels.services, 'POST', '/play', { world: this.#world, body: { speed } });
		const wasPaused = !this.running.value;
		if (!(await this.#finish('Play', played))) return;
		this.speed.value = speed;
		if (wasPaused) this.tell('The game runs');
	}

	async hold(): Promise<void> {
		await this.#finish('Pause', ask(this.#panels.services, 'POST', '/pause', { world: this.#world }));
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
		const body = { entity_id: entity.id, entity_generation: entity.generation, item_id: item.id };
		await this.#finish('Buy', ask(this.#panels.services, 'POST', '/shop/buy', { world: this.#world, body }));
	}

	/** Shows a line in the feed. */
	tell(text: string): void {
		this.log.say(this.game.tick.value, text);
	}

	stop(): void {
		// Nothing on Start shows that a game runs.
		if (this.#panels.navigation.view.peek() === 'start' && this.mine.peek() !== null && this.running.peek())
			void this.hold();
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

	/** Reports a refusal of a call to the game. `what`: its name on the page. */
	async #finish(what: string, call: Promise<AskOutcome<unknown>>): Promise<boolean> {
		const outcome = await call;
		if (!outcome.ok) this.#panels.navigation.refuse(what, outcome.refusal);
		this.game.refresh();
		return outcome.ok;
	}

	#afterTaking(what: string, refusal: Refusal | null): void {
		if (refusal !== null) this.#panels.navigation.refuse(what, refusal);
		this.#takeovers.value++;
		this.game.refresh();
	}

	#afterReading(): void {
		const tick = this.game.tick.value;
		this.log.atTick(tick);
		const hero = this.mine.value;
		const keyOf = (action: string) => this.keysOf(action)[0];
		const { about, match, items, entities } = this.game;
		const [units, goods] = [entities.value, items.value];
		const game = { goal: about.value, match: match.value, items: goods, units, tick };
		const isPlaying = hero !== null && this.begun.value;
		this.hints.atTick(tick, isPlaying ? dueHints(hero, game, keyOf) : []);
	}

	/** A match that was played here does not run on behind the plate of its end, once its last blow has been seen. */
	#pauseAfterEnd(): void {
		const endedAt = this.game.match.value?.ended_at ?? null;
		if (this.ending.value === null || endedAt === null || this.mine.value === null) return;
		const isSeen = this.game.tick.value >= endedAt + AFTER_END_TICKS;
		if (!isSeen || !this.running.value || this.#pausedEnd === endedAt) return;
		// Only once: another client may run it on.
		this.#pausedEnd = endedAt;
		untracked(() => void this.hold());
	}

	/** Says when the played unit falls, and when it is back. */
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
				view.value?.watch({ ids, kinds: FEED_KINDS, ownUnit: mine.value });
			}),
			effect(() =>
				view.value?.onHappened((events) => this.log.takeEvents(events, this.game.byId.value, mine.value)),
			),
		];
	}
}
