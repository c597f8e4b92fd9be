/** Events as occurrences of conditions. Owns: reading the subject and the cause of an event by its declaration. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { type EventKind, eventType } from '../../../../shared/documents/event.ts';
import { slotOf } from '../../core/entities.ts';
import type { SentEvent } from '../../core/events.ts';
import type { ConditionScope } from './condition.ts';
import type { Occurrence } from './occurrence.ts';

function entityOf({ data }: SentEvent, field: string | undefined): EntityHandle | null {
	return field === undefined ? null : ((data[field] ?? null) as EntityHandle | null);
}

/** Occurrences of the events of a kind, for the entities that the filter takes. */
export function occurrencesOf(
	scope: ConditionScope,
	kind: EventKind,
	events: readonly SentEvent[],
): Occurrence[] {
	const { subject: about, source } = eventType(kind);
	const found: Occurrence[] = [];
	for (const event of events) {
		const subject = entityOf(event, about);
		if (subject !== null && !scope.passes(event, about!)) continue;
		const cause = entityOf(event, source);
		if (subject === null || slotOf(scope.world, subject) >= 0) found.push({ subject, source: cause });
		else found.push({ subject, source: cause, gone: scope.named(event, about!)! });
	}
	return found;
}
