/** Events: what can happen in a world, and how it is named and shown. */

import * as z from 'zod';
import { text, word } from '../contract/values.ts';

/** Every kind of event with its fields. */
export const EVENT_FIELDS = {
	damage: ['target', 'amount', 'source', 'category'],
	death: ['entity', 'killer'],
	collision: ['a', 'b', 'started'],
	rule_spawn: ['entity', 'mesh', 'color'],
	match: ['phase', 'winner_team', 'winner'],
	score: ['entity', 'points', 'total', 'team', 'victim'],
	level_up: ['entity', 'level'],
	cast: ['entity', 'slot', 'ability', 'aim'],
	cast_failed: ['entity', 'slot', 'reason'],
	action_failed: ['entity', 'action', 'reason'],
	effect_expired: ['entity', 'tag', 'effect_id', 'source'],
	signal: ['name', 'data', 'entity', 'source'],
} as const;

export type EventKind = keyof typeof EVENT_FIELDS;

export const EVENT_KINDS = Object.keys(EVENT_FIELDS) as [EventKind, ...EventKind[]];

/** `rule_spawn` -> `RuleSpawnEvent` */
export function eventType(kind: EventKind): string {
	const words = kind.split('_').map((part) => part[0]!.toUpperCase() + part.slice(1));
	return `${words.join('')}Event`;
}

const kindOfType = new Map(EVENT_KINDS.map((kind) => [eventType(kind).toLowerCase(), kind]));

/** One of some words for kinds of events; a kind's type, as events show it, is understood as well. */
function kindWord<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	return z.preprocess(
		(value) => (typeof value === 'string' ? (kindOfType.get(value.trim().toLowerCase()) ?? value) : value),
		word(words, description),
	);
}

export const eventKind = kindWord(EVENT_KINDS, 'Kind of event');

/** Which kinds of events an answer should list. */
export const eventSelection = z
	.array(kindWord(['all', ...EVENT_KINDS], 'Kind of event, or all'))
	.min(1)
	.max(EVENT_KINDS.length + 1);

/** An event as answers show it. */
export const eventView = z
	.looseObject({
		type: text(`Which kind of event: ${EVENT_KINDS.map(eventType).join(', ')}`),
		tick: z.int().describe('The tick it was sent on: ticks completed before it'),
	})
	.describe(
		'What belongs to an event depends on its type; entities stand as their ids, with the generation beside, such as `killer` and `killer_generation`',
	);
