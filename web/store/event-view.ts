/** Events as answers show them. */

import { type EntityHandle, readoutKey } from '../../shared/contract/component.ts';
import { eventTitle, namesEntity } from '../../shared/contract/event.ts';
import { EVENT_KINDS, type EventKind, eventType } from '../../shared/documents/event.ts';
import { eventsOfLastTick, eventsSinceLastTick, rowFor, type SentEvent } from '../sim/core/events.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import type { World } from '../sim/core/world.ts';

/** Type of the notice that a world was replaced by another. */
export const REPLACED = 'WorldReplaced';

export type EventView = { type: string; tick: number } & Record<string, unknown>;

/** Returns true if an event can be shown at any later time, without its world. */
export const isShownLater = (kind: string): boolean => eventType(kind as EventKind).remembers === undefined;

/**
 * Returns an event as answers show it. Each entity is an id, with fields for its generation and for the values that the event remembers.
 * `world` may be null if `isShownLater` returns true.
 */
export function shownEvent(world: World | null, event: SentEvent, tick: number): EventView {
	const type = eventType(event.kind as EventKind);
	const eventView: EventView = { type: eventTitle(type), tick };
	for (const [name, value] of Object.entries(event.data)) {
		if (value !== null && namesEntity(type.fields[name]!)) {
			eventView[name] = (value as EntityHandle).id;
			eventView[`${name}_generation`] = (value as EntityHandle).generation;
			for (const component of type.remembers ?? []) {
				const row = rowFor(world!, event, name, component);
				if (row !== undefined)
					eventView[`${name}_${readoutKey(component)}`] = component.readout?.from?.(row) ?? row;
			}
			continue;
		}
		const isNarrow = typeof value === 'number' && Math.fround(value) === value;
		eventView[name] = isNarrow ? shortestFloat32(value) : value;
	}
	return { ...eventView, ...type.answerFields?.(eventView) };
}

/** Returns all readable events: by kind in the order of EVENT_KINDS, each kind oldest first. */
export function readableEvents(world: World): EventView[] {
	const rank = ({ event }: { event: SentEvent }) => EVENT_KINDS.indexOf(event.kind as EventKind);
	const tagged = [
		...eventsOfLastTick(world).map((event) => ({ event, tick: world.tick - 1 })),
		...eventsSinceLastTick(world).map((event) => ({ event, tick: world.tick })),
	];
	return tagged.sort((a, b) => rank(a) - rank(b)).map(({ event, tick }) => shownEvent(world, event, tick));
}

/** Records events of some kinds during many ticks, up to a limit. */
export class EventLog {
	readonly events: EventView[] = [];
	/** Number of all events, kept or not. */
	total = 0;
	readonly #kinds: ReadonlySet<string>;
	readonly #most: number;

	constructor(kinds: readonly EventKind[], most: number) {
		this.#kinds = new Set(kinds);
		this.#most = most;
	}

	/** Adds the events of a world's last tick. */
	take(world: World): void {
		for (const event of eventsOfLastTick(world)) {
			if (!this.#kinds.has(event.kind)) continue;
			if (this.total++ < this.#most) this.events.push(shownEvent(world, event, world.tick - 1));
		}
	}
}
