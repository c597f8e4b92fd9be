/**
 * State of the game in the view Play: all of it read from declared routes and from the events of frames.
 * Owns: when it is read, which entity is played or watched here, and the calls to the game. Lives as long as the view
 * is shown.
 */

import {
	batch,
	computed,
	effect,
	type ReadonlySignal,
	type Signal,
	signal,
	untracked,
} from '@preact/signals';
import { readCursor } from '../../../shared/contract/event-cursor.ts';
import type { Answer, Body } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import { type Entity, readEntities } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import type { Panels } from '../state/panels.ts';
import { FEED_KINDS, type FeedLine, feedLines, feedParts } from './feed.ts';
import { type MapFrame, mapFrame } from './map-points.ts';
import {
	type Ending,
	ending,
	type Goal,
	goalOf,
	type Match,
	type OtherPlayer,
	otherPlayers,
	type Side,
	sides,
} from './match.ts';
import { letGo, playedHere, takeOver } from './played.ts';
import {
	addSample,
	type Chronicle,
	chronicleOf,
	type KeptEvent,
	NOTHING_YET,
	STORY_KINDS,
	type Story,
	tellStory,
} from './story.ts';
import { candidates, isHero } from './units.ts';

const READ_MS = 150;
const REST_FACTOR = 3;
/** Interval between reads of data that changes seldom. */
const SELDOM_MS = 1000;
/** Ticks after which an agent that sends no input any more does not count as playing. */
const SENDS_WITHIN = 600;

export type ShopItem = Answer<RouteAt<'GET', '/shop/list'>>['items'][number];
type InputList = Answer<RouteAt<'GET', '/input/list'>>;

/** Speeds of a game that is watched. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

export interface Play {
	/** False until the world was read once. */
	readonly known: ReadonlySignal<boolean>;
	readonly tick: ReadonlySignal<number>;
	readonly entities: ReadonlySignal<readonly Entity[]>;
	readonly match: ReadonlySignal<Match | null>;
	readonly items: ReadonlySignal<readonly ShopItem[]>;
	readonly map: ReadonlySignal<MapFrame | null>;
	/** Entity that is played here; null: this page watches. */
	readonly mine: ReadonlySignal<Entity | null>;
	/** Entity in view: the played one, or the watched one; null: the whole world. */
	readonly followed: ReadonlySignal<Entity | null>;
	readonly heroes: ReadonlySignal<readonly Entity[]>;
	readonly others: ReadonlySignal<readonly OtherPlayer[]>;
	readonly sides: ReadonlySignal<readonly Side[]>;
	/** The goal, if a number of a hero wins. */
	readonly goal: ReadonlySignal<Goal | null>;
	/** Goal of the game, in its own words; null: it says nothing. */
	readonly about: ReadonlySignal<string | null>;
	readonly lines: ReadonlySignal<readonly FeedLine[]>;
	readonly ending: ReadonlySignal<Ending | null>;
	/** Story of a match that is over, from the events that the engine keeps; null before they are read. */
	readonly story: ReadonlySignal<Story | null>;
	readonly running: ReadonlySignal<boolean>;
	readonly speed: ReadonlySignal<number>;
	/** Panel that is open over the picture. */
	readonly open: Signal<'shop' | 'map' | null>;
	/** Meaning of a key in the world, or null. */
	meaning(key: string): string | null;
	/** Keys of an action, the first of a keyboard first. */
	keysOf(action: string): readonly string[];
	run(speed?: number): Promise<void>;
	hold(): Promise<void>;
	take(entity: Entity): Promise<void>;
	letGo(): Promise<void>;
	/** Watches the next hero. */
	next(): void;
	watch(entity: Entity): void;
	/** Stops following an entity. */
	free(): void;
	buy(item: ShopItem): Promise<void>;
	/** Shows a line about what the person tried. */
	tell(text: string): void;
	stop(): void;
}

/** Events of a match that is over. */
interface KeptMatch {
	readonly started: number;
	/** First tick whose events are kept. */
	readonly since: number;
	readonly events: readonly KeptEvent[];
}

/** Most pieces of events that are read: more than the engine keeps. */
const MAX_PIECES = 1000;

/** Reads the events of a world from a tick on; null if they are refused. */
async function readEvents(
	services: PanelServices,
	world: string,
	tick: number,
): Promise<Omit<KeptMatch, 'started'> | null> {
	const events: KeptEvent[] = [];
	let [since, next] = [tick, String(tick)];
	for (let piece = 0; piece < MAX_PIECES; piece++) {
		const query = { since: next, events: STORY_KINDS.join(), limit: 10_000 };
		const read = await ask(services, 'GET', '/events/stream', { query, world, on: 'panels' });
		if (!read.ok) return null;
		const { gap, more } = read.body;
		// What another world had in this one's place is another match.
		const replaced = read.body.events.findLastIndex(({ type }) => type === 'WorldReplaced');
		if (replaced >= 0) events.length = 0;
		events.push(...read.body.events.slice(replaced + 1));
		if (gap !== null) since = readCursor(gap.to)!.tick;
		next = read.body.next;
		if (!more) break;
	}
	return { since, events };
}

export function createPlay({ services, worlds, navigation }: Panels): Play {
	const entities = signal<readonly Entity[]>([]);
	const tick = signal(0);
	const known = signal(false);
	const match = signal<Match | null>(null);
	const items = signal<readonly ShopItem[]>([]);
	const ruledGoal = signal<Goal | null>(null);
	const about = signal<string | null>(null);
	/** Scores as they were seen here, of a game whose goal is a number of an entity. */
	const seen = signal<Chronicle>(NOTHING_YET);
	const kept = signal<KeptMatch | null>(null);
	const input = signal<InputList | null>(null);
	const map = signal<MapFrame | null>(null);
	const lines = signal<readonly FeedLine[]>([]);
	const watchedId = signal<number | null>(null);
	const speed = signal(1);
	const open = signal<'shop' | 'map' | null>(null);
	/** Tick at which each agent last sent input. */
	const senders = signal<ReadonlyMap<string, number>>(new Map());
	/** The played unit as it was last seen. */
	let wasDead: { readonly id: number; readonly isDead: boolean } | null = null;
	/** Rises when this page took an entity over or released one. */
	const taken = signal(0);

	const world = () => worlds.selected.value;
	const here = () => ({ world: world(), on: 'panels' }) as const;

	const readOften = paced({ least: READ_MS, factor: REST_FACTOR }, async () => {
		const from = world();
		const [list, game] = await Promise.all([
			ask(services, 'POST', '/observe', here()),
			ask(services, 'GET', '/game/state', here()),
		]);
		if (from !== world() || !list.ok) return;
		const found = readEntities(list.body);
		if (found === null) return;
		const now = Number(list.body.tick);
		// Another world took the place of this one.
		if (!known.value || now < tick.value) readAbout.ask();
		batch(() => {
			entities.value = found;
			tick.value = now;
			known.value = true;
			// A world without a match refuses; it has none.
			match.value = game.ok ? game.body : null;
			map.value = mapFrame(found, map.value);
			lines.value = feedLines(lines.value, [], tick.value);
			if (goal.value !== null) seen.value = addSample(seen.value, now, allSides.value);
		});
	});
	const readAbout = paced({ least: SELDOM_MS, factor: REST_FACTOR }, async () => {
		const from = world();
		const answer = await ask(services, 'GET', '/environment', here());
		// A world that is no game refuses.
		if (from === world()) about.value = (answer.ok && answer.body.environment.description) || null;
	});
	const readSeldom = paced({ least: SELDOM_MS, factor: REST_FACTOR }, async () => {
		const from = world();
		const [shop, keys, rules] = await Promise.all([
			ask(services, 'GET', '/shop/list', here()),
			ask(services, 'GET', '/input/list', here()),
			ask(services, 'GET', '/rule/list', here()),
		]);
		if (from !== world()) return;
		batch(() => {
			if (shop.ok) items.value = shop.body.items.filter((item) => item.for_sale);
			if (keys.ok) input.value = keys.body;
			if (rules.ok) ruledGoal.value = goalOf(rules.body.rules);
		});
	});
	/** Reads the events of a match that is over. */
	const readMatch = async (started: number): Promise<void> => {
		const from = world();
		const read = await readEvents(services, from, started);
		if (from === world() && read !== null) kept.value = { started, ...read };
	};
	const readAll = (): void => {
		readOften.ask();
		readSeldom.ask();
	};

	const byId = computed(() => new Map(entities.value.map((entity) => [entity.id, entity])));
	const mine = computed(() => {
		taken.value;
		return playedHere(world(), entities.value);
	});
	const heroes = computed(() => entities.value.filter(isHero));
	const followed = computed(() => mine.value ?? byId.value.get(watchedId.value ?? -1) ?? null);
	const recent = computed(() =>
		[...senders.value].filter(([, at]) => at > tick.value - SENDS_WITHIN).map(([name]) => name),
	);
	const others = computed(() => otherPlayers(entities.value, mine.value?.id ?? null, recent.value));
	const goal = computed(() => {
		const found = ruledGoal.value;
		return found !== null && heroes.value.some((hero) => typeof hero[found.field] === 'number')
			? found
			: null;
	});
	const allSides = computed(() => sides(match.value, entities.value, others.value, goal.value));
	const ended = computed(() => ending(match.value, mine.value?.team ?? null, allSides.value));
	const running = computed(() => worlds.here.value?.playing ?? false);
	const meanings = computed(() => {
		const context = input.value?.contexts.at(-1);
		const inForce = input.value?.bindings.filter((one) => one.context === context) ?? [];
		return new Map(inForce.map(({ key, action }) => [key, action]));
	});
	/** The names that the view is asked for; another list only when it is another. */
	const watchedIds = computed(() => heroes.value.map(({ id }) => id).join());

	const endings = [
		effect(() => {
			worlds.selected.value;
			batch(() => {
				entities.value = [];
				known.value = false;
				map.value = null;
				about.value = null;
				seen.value = NOTHING_YET;
				kept.value = null;
				lines.value = [];
				watchedId.value = null;
				open.value = null;
			});
		}),
		effect(() => {
			worlds.changes.value;
			if (worlds.here.value !== null) untracked(readAll);
		}),
		effect(() => {
			const calls = services.status.value?.calls ?? [];
			const of = calls.filter(
				({ path, sender, world: where }) =>
					/^(\/fork\/[^/]+)?\/input\/(press|axis|release)$/.test(path) &&
					where === worlds.selected.value &&
					sender !== '' &&
					sender !== 'you' &&
					sender !== 'panels',
			);
			if (of.length === 0) return;
			untracked(() => {
				senders.value = new Map([...senders.value, ...of.map((call) => [call.sender, call.tick] as const)]);
			});
		}),
		effect(() => {
			const isDead = mine.value?.dead === true;
			const id = mine.value?.id ?? null;
			untracked(() => {
				if (wasDead?.id === id && wasDead.isDead !== isDead) {
					const parts = [{ text: isDead ? 'You have fallen' : 'You are back' }];
					lines.value = feedLines(lines.value, [{ tick: tick.value, parts }], tick.value);
				}
				wasDead = id === null ? null : { id, isDead };
			});
		}),
		effect(() => {
			if (ended.value === null) return;
			const started = match.value?.started_at ?? 0;
			if (untracked(() => kept.value?.started !== started)) void readMatch(started);
		}),
		effect(() => services.view.value?.follow(followed.value?.id ?? null)),
		effect(() => {
			const ids = watchedIds.value === '' ? [] : watchedIds.value.split(',').map(Number);
			services.view.value?.watch({ ids, kinds: FEED_KINDS, mine: mine.value?.id ?? null });
		}),
		effect(() =>
			services.view.value?.onHappened((events) => {
				const added = events.flatMap((event) => {
					const parts = feedParts(event, byId.value, mine.value?.id ?? null);
					return parts === null ? [] : [{ tick: event.tick, parts }];
				});
				if (added.length > 0) lines.value = feedLines(lines.value, added, added.at(-1)!.tick);
			}),
		),
	];

	const send = async <P extends PathOf<'POST'>>(
		what: string,
		path: P,
		body: Body<RouteAt<'POST', P>>,
	): Promise<boolean> => {
		const outcome = await ask(services, 'POST', path, { world: world(), body });
		if (!outcome.ok) navigation.refuse(what, outcome.refusal);
		readAll();
		return outcome.ok;
	};

	return {
		known,
		tick,
		entities,
		match,
		items,
		map,
		mine,
		followed,
		heroes,
		others,
		sides: allSides,
		goal,
		about,
		lines,
		ending: ended,
		story: computed(() => {
			const over = match.value;
			const read = kept.value;
			if (ended.value === null || over === null || read === null) return null;
			const { started, since } = read;
			const told = chronicleOf(read.events, allSides.value, mine.value?.id ?? null, since);
			return tellStory(
				goal.value === null ? told : { ...told, samples: seen.value.samples },
				allSides.value,
				{
					started,
					since,
					ended: over.ended_at ?? tick.value,
					winner: over.winner_team,
				},
			);
		}),
		running,
		speed,
		open,
		meaning: (key) => meanings.value.get(key) ?? null,
		keysOf: (action) =>
			[...meanings.value]
				.filter(([, means]) => means === action)
				.map(([key]) => key)
				.sort((a, b) => Number(/^(Gamepad|Touch)/.test(a)) - Number(/^(Gamepad|Touch)/.test(b))),
		async run(at = speed.value) {
			if (await send('Play', '/play', { speed: at })) speed.value = at;
		},
		async hold() {
			await send('Pause', '/pause', undefined);
		},
		async take(entity) {
			const refusal = await takeOver(services, world(), entity);
			if (refusal !== null) navigation.refuse('Play this unit', refusal);
			taken.value++;
			readAll();
		},
		async letGo() {
			const entity = mine.value;
			if (entity === null) return;
			watchedId.value = entity.id;
			const refusal = await letGo(services, world(), entity);
			if (refusal !== null) navigation.refuse('Stop playing', refusal);
			taken.value++;
			readAll();
		},
		next() {
			const all = candidates(entities.value);
			const at = all.findIndex(({ id }) => id === watchedId.value);
			watchedId.value = all[(at + 1) % all.length]?.id ?? null;
		},
		watch({ id }) {
			watchedId.value = id;
		},
		free() {
			watchedId.value = null;
		},
		async buy(item) {
			const entity = mine.value;
			if (entity === null) return;
			await send('Buy', '/shop/buy', {
				entity_id: entity.id,
				entity_generation: entity.generation,
				item_id: item.id,
			});
		},
		tell(text) {
			lines.value = feedLines(lines.value, [{ tick: tick.value, parts: [{ text }] }], tick.value);
		},
		stop() {
			for (const end of endings) end();
			readOften.stop();
			readSeldom.stop();
			readAbout.stop();
			services.view.value?.follow(null);
			services.view.value?.watch(null);
		},
	};
}
