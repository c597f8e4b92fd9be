/** Turns events into occurrences of conditions. Owns: reading the subject and the cause of an event by its declaration. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { type EventKind, eventType } from '../../../../shared/documents/event.ts';
import { slotOf } from '../../core/entities.ts';
import type { SentEvent } from '../../core/events.ts';
import type { ConditionScope } from './condition.ts';
import type { Occurrence } from './occurrence.ts';

function entityOf({ data }: SentEvent, field: string | undefined): EntityHandle | null {
	return field === undefined ? null : ((data[field] ?? null) as EntityHandle | null);
}

/** Returns the occurrences of events of a kind whose subject passes the filter, or that have no subject. */
export function occurrencesOf(
	scope: ConditionScope,
	kind: EventKind,
	events: readonly SentEvent[],
): Occurrence[] {
	const { subject: subjectField, source: sourceField } = eventType(kind);
	const occurrences: Occurrence[] = [];
	for (const event of events) {
		const subject = entityOf(event, subjectField);
		if (subject !== null && !scope.passes(event, subjectField!)) continue;
		const source = entityOf(event, sourceField);
		if (subject === null || slotOf(scope.world, subject) >= 0) occurrences.push({ subject, source });
		else occurrences.push({ subject, source, despawnedReader: scope.namedEntity(event, subjectField!)! });
	}
	return occurrences;
}
