/** Finds the entities that events affect: those that an event names, except as its cause. */

import type { EntityHandle } from '../../shared/contract/component.ts';
import { type EventType, namesEntity } from '../../shared/contract/event.ts';
import { events } from '../../shared/events/index.ts';
import type { SentEvent } from '../sim/core/events.ts';

const affectedFieldsOf = new Map(
	events.map((type: EventType) => [
		type.kind,
		Object.entries(type.fields)
			.filter(([name, schema]) => name !== type.source && namesEntity(schema))
			.map(([name]) => name),
	]),
);

/** Returns the entities that events with a sequence number above `after` affect. */
export function affectedEntities(sent: readonly SentEvent[], after: number): EntityHandle[] {
	return sent
		.filter(({ sequence }) => sequence > after)
		.flatMap(({ kind, data }) =>
			affectedFieldsOf.get(kind)!.flatMap((name) => (data[name] as EntityHandle | null | undefined) ?? []),
		);
}
