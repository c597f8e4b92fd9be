/** Converts events to the form in which answers show them. */

import { type EntityHandle, readoutKey } from '../../shared/contract/component.ts';
import { eventTitle, namesEntity } from '../../shared/contract/event.ts';
import { EVENT_KINDS, type EventKind, eventType } from '../../shared/documents/event.ts';
import { eventsOfLastTick, eventsSinceLastTick, rowFor, type SentEvent } from '../sim/core/events.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import type { World } from '../sim/core/world.ts';

/** Type of the notice that a world was replaced by another. */
export const REPLACED = 'WorldReplaced';

export type EventView = { type: string; tick: number } & Record<string, unknown>;

/** Returns true if events of a kind can be converted at any later time, without their world. */
export const isTimeless = (kind: string): boolean => eventType(kind as EventKind).remembers === undefined;

/**
 * Returns an event as answers show it. Each entity is an id, with fields for its generation and for the values that the event remembers.
 * `world` may be null if `isTimeless` returns true.
 */
export function viewOfEvent(world: World | null, event: SentEvent, tick: number): EventView {
	const type = eventType(event.kind as EventKind);
	const view: EventView = { type: eventTitle(type), tick };
	for (const [name, value] of Object.entries(event.data)) {
		if (value !== null && namesEntity(type.fields[name]!)) {
			view[name] = (value as EntityHandle).id;
			view[`${name}_generation`] = (value as EntityHandle).generation;
			for (const component of type.remembers ?? []) {
				const row = rowFor(world!, event, name, component);
				if (row !== undefined)
					view[`${name}_${readoutKey(component)}`] = component.readout?.from?.(row) ?? row;
			}
			continue;
		}
		const isFloat32 = typeof value === 'number' && Math.fround(value) === value;
		view[name] = isFloat32 ? shortestFloat32(value) : value;
	}
	return { ...view, ...type.shown?.(view) };
}

/** Returns all readable events: by kind in the order of EVENT_KINDS, each kind oldest first. */
export function readableEvents(world: World): EventView[] {
	const rank = ({ event }: { event: SentEvent }) => EVENT_KINDS.indexOf(event.kind as EventKind);
	const tagged = [
		...eventsOfLastTick(world).map((event) => ({ event, tick: world.tick - 1 })),
		...eventsSinceLastTick(world).map((event) => ({ event, tick: world.tick })),
	];
	return tagged.sort((a, b) => rank(a) - rank(b)).map(({ event, tick }) => viewOfEvent(world, event, tick));
}

/** Records events of some kinds during many ticks, up to a limit. */
export class EventLog {
	readonly events: EventView[] = [];
	/** Number of all events, kept or not. */
	total = 0;
	readonly #kinds: ReadonlySet<string>;
	readonly #max: number;

	constructor(kinds: readonly EventKind[], max: number) {
		this.#kinds = new Set(kinds);
		this.#max = max;
	}

	/** Adds the events of a world's last tick. */
	addEvents(world: World): void {
		for (const event of eventsOfLastTick(world)) {
			if (!this.#kinds.has(event.kind)) continue;
			if (this.total++ < this.#max) this.events.push(viewOfEvent(world, event, world.tick - 1));
		}
	}
}
