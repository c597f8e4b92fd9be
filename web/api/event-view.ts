/** Events as answers show them. */

import { EVENT_KINDS, type EventKind, eventType } from '../../shared/documents/event.ts';
import { eventsOfLastTick, eventsSinceLastTick, type SentEvent } from '../sim/core/events.ts';
import { shortest } from '../sim/core/float32.ts';
import type { World } from '../sim/core/world.ts';

export type EventView = { type: string; tick: number } & Record<string, unknown>;

/** An event as the wire shows it: entities by their ids, with the generation beside. */
function show({ kind, data }: SentEvent, tick: number): EventView {
	const shown: EventView = { type: eventType(kind), tick };
	for (const [name, value] of Object.entries(data)) {
		const isHandle =
			name !== 'data' &&
			typeof value === 'object' &&
			value !== null &&
			'id' in value &&
			'generation' in value;
		const isNarrow = typeof value === 'number' && Math.fround(value) === value;
		shown[name] = isHandle ? value.id : isNarrow ? shortest(value) : value;
		if (isHandle) shown[`${name}_generation`] = value.generation;
	}
	return shown;
}

/** All readable events: by kind in the order of EVENT_KINDS, each kind oldest first. */
export function readableEvents(world: World): EventView[] {
	const rank = ({ event }: { event: SentEvent }) => EVENT_KINDS.indexOf(event.kind);
	const tagged = [
		...eventsOfLastTick(world).map((event) => ({ event, tick: world.tick - 1 })),
		...eventsSinceLastTick(world).map((event) => ({ event, tick: world.tick })),
	];
	return tagged.sort((a, b) => rank(a) - rank(b)).map(({ event, tick }) => show(event, tick));
}

/** Keeps the events of the ticks that a world makes: those of some kinds, the first so many. */
export class EventLog {
	readonly events: EventView[] = [];
	/** How many there were, kept or not. */
	total = 0;
	readonly #kinds: ReadonlySet<EventKind>;
	readonly #most: number;

	constructor(kinds: readonly EventKind[], most: number) {
		this.#kinds = new Set(kinds);
		this.#most = most;
	}

	/** Takes what the tick that was just made sent. */
	take(world: World): void {
		for (const event of eventsOfLastTick(world)) {
			if (!this.#kinds.has(event.kind)) continue;
			if (this.total++ < this.#most) this.events.push(show(event, world.tick - 1));
		}
	}
}
