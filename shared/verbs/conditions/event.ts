/** The condition `event`: an event is sent. */

import * as z from 'zod';
import { Refusal, withPathPrefix } from '../../contract/errors.ts';
import { COMPARISON, equalsHint, operator, SHOWN_SIGNS, SIGNS } from '../../contract/operators.ts';
import { optional, text } from '../../contract/values.ts';
import { eventKind, eventType } from '../../documents/event.ts';
import { condition } from './condition.ts';
import { checkEventField, eventFieldReads } from './event-field.ts';

export const event = condition({
	name: 'event',
	fields: () => ({
		event: eventKind,
		where: optional(
			z
				.array(
					z.strictObject({
						field: text(
							'Field of the event, such as amount or target.id. An entity of the event also has team, role, name (or the name of its hero), tags (equal: has the tag; not_equal: does not have it), and numbers such as killer.level. If it no longer exists, its last values are compared',
						),
						op: operator.default('equal'),
						value: z.union([z.number(), z.string(), z.boolean()]).describe('Value to compare with'),
					}),
				)
				.max(20)
				.describe('Tests that must all hold'),
		),
	}),
	doc: 'Holds when an event of this kind is sent. `this`: its target, entity or a; `source`: its source, killer or b; unset if the event has none',
	about: ({ event: kind }) => {
		const { subject, source } = eventType(kind);
		return { subject: subject !== undefined, source: source !== undefined };
	},
	momentary: true,
	colon: {
		form: 'event:KIND FIELD==VALUE ...',
		read: (value) => (value === undefined || value === '' ? null : readEvent(value)),
	},
	write: ({ event: kind, where }) =>
		[
			`event:${kind}`,
			...(where ?? []).map(({ field, op, value }) => `${field}${SIGNS[op]}${String(value)}`),
		].join(' '),
	say: ({ event: kind, where }) => {
		const tests = (where ?? []).map(({ field, op, value }) => `${field} ${SHOWN_SIGNS[op]} ${String(value)}`);
		return [`event ${kind}`, ...tests].join(', ');
	},
	check: ({ event: kind, where }) => {
		for (const [i, test] of (where ?? []).entries())
			withPathPrefix(`where[${i}]`, () => checkEventField(eventType(kind), test));
	},
	reads: ({ event: kind, where }) => [
		`event:${kind}`,
		...(where ?? []).flatMap(({ field }) => eventFieldReads(eventType(kind), field)),
	],
});

function readEvent(value: string): object {
	const [kind, ...tests] = value.split(/\s+/);
	const where = tests.map((test) => {
		const [, field, op, operand = ''] = COMPARISON.exec(test) ?? [];
		if (field === undefined)
			throw new Refusal(
				`"${test}" is not a test of an event; write it as amount>=5 or name==horn${equalsHint(test)}`,
			);
		return { field, op, value: readLiteral(operand) };
	});
	return { event: kind, ...(where.length > 0 ? { where } : {}) };
}

/** Returns a number, true, false, or a word. */
function readLiteral(sent: string): number | boolean | string {
	if (sent === 'true' || sent === 'false') return sent === 'true';
	return Number.isFinite(Number(sent)) ? Number(sent) : sent;
}
