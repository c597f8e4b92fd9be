/**
 * The short texts of conditions and actions, such as `timer:5` and `heal this 10`.
 * Owns: reading them into the typed form, which alone has a meaning.
 */

import type * as z from 'zod';
import { shapeFault } from '../../../shared/contract/explain-issue.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import {
	type Action,
	actionDocument,
	type Condition,
	conditionDocument,
	type Target,
} from '../../../shared/documents/rule.ts';

/** What is wrong with a text. */
export class RuleTextError extends Error {}

const CONDITIONS = [
	'death',
	'timer:SECONDS',
	'health-below:HP',
	'score:N',
	'phase:NAME',
	'tick:N',
	'event:KIND',
];

function number(text: string | undefined, what: string): number {
	const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new RuleTextError(`${what} must be a number, got "${text ?? ''}"`);
	return value;
}

function whole(text: string | undefined, what: string): number {
	const value = number(text, what);
	if (!Number.isInteger(value)) throw new RuleTextError(`${what} must be a whole number, got "${text}"`);
	return value;
}

/** What a text says, in the ranges of the typed form. */
function within<T>(schema: z.ZodType<T>, read: unknown): T {
	const checked = schema.safeParse(read);
	if (checked.success) return checked.data;
	const { message, fix } = shapeFault('invalid_rule', schema, checked.error, read);
	throw new RuleTextError(`${message} ${fix}`.replace(/\.$/, ''));
}

/** Reads a condition. Throws a RuleTextError. */
export function parseCondition(sent: string): Condition {
	return within(conditionDocument, readCondition(sent));
}

function readCondition(sent: string): unknown {
	const text = sent.trim();
	const at = text.indexOf(':');
	const kind = (at < 0 ? text : text.slice(0, at)).toLowerCase().replaceAll('_', '-');
	const value = at < 0 ? undefined : text.slice(at + 1).trim();
	switch (kind) {
		case 'death':
			if (value === undefined) return { kind: 'death' };
			break;
		case 'timer':
			return { kind: 'timer', interval: number(value, 'the seconds of a timer') };
		case 'health-below':
			return { kind: 'health_below', threshold: number(value, 'the health of health-below') };
		case 'score':
			return { kind: 'score', threshold: whole(value, 'the points of score') };
		case 'phase':
			return { kind: 'phase', phase: value ?? '' };
		case 'tick':
			return { kind: 'tick', every: whole(value, 'the ticks of tick') };
		case 'event':
			if (value !== undefined && value !== '') return { kind: 'event', event: value };
			break;
	}
	const near = nearest(
		kind,
		CONDITIONS.map((known) => known.split(':')[0]!),
	);
	throw new RuleTextError(
		`the condition "${sent}" is not understood${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${CONDITIONS.join(', ')}`,
	);
}

function parseTarget(text: string | undefined): Target {
	const low = text?.toLowerCase() ?? '';
	if (low === 'this' || low === 'source') return low;
	const [kind = '', ...rest] = (text ?? '').split(':');
	const value = rest.join(':');
	switch (kind.toLowerCase()) {
		case 'entity':
			return { entity: whole(value, 'the id of a target') };
		case 'tag':
			return { tag: value };
		case 'team':
			return { team: whole(value, 'the team of a target') };
		case 'nearest':
			return { nearest: value };
		case 'all':
			return { all: value };
	}
	throw new RuleTextError(
		`the target "${text ?? ''}" is not understood; known: this, source, entity:ID, tag:NAME, team:N, nearest:FILTER, all:FILTER`,
	);
}

type Vec3 = [number, number, number];

function vector(text: string | undefined, what: string): Vec3 {
	const parts = (text ?? '').split(',').map((part) => number(part, what));
	if (parts.length !== 3) throw new RuleTextError(`${what} must be x,y,z, got "${text ?? ''}"`);
	return parts as Vec3;
}

const ACTIONS = [
	'spawn',
	'damage',
	'heal',
	'score',
	'despawn',
	'teleport',
	'color',
	'text',
	'endgame',
	'set_field',
	'add_field',
	'give_item',
	'emit',
];

/** Reads an action. Throws a RuleTextError. */
export function parseAction(sent: string): Action {
	return within(actionDocument, readAction(sent));
}

function readAction(sent: string): unknown {
	const [verb = '', ...words] = sent.trim().split(/\s+/);
	const [first, second, third] = words;
	const only = (count: number) => {
		if (words.length > count) throw new RuleTextError(`"${sent}" has more words than ${verb} takes`);
	};
	switch (verb.toLowerCase()) {
		case 'spawn':
			return readSpawn(words);
		case 'damage':
			only(2);
			return { action: 'damage', target: parseTarget(first), amount: number(second, 'the damage') };
		case 'heal':
			only(2);
			return { action: 'heal', target: parseTarget(first), amount: number(second, 'the health') };
		case 'score':
			only(2);
			return { action: 'score', target: parseTarget(first), points: whole(second, 'the points') };
		case 'despawn':
			only(1);
			return { action: 'despawn', target: parseTarget(first) };
		case 'teleport':
			only(2);
			return { action: 'teleport', target: parseTarget(first), position: vector(second, 'the place') };
		case 'color':
		case 'set_color':
			if (second === undefined) throw new RuleTextError(`"${sent}" names no colour`);
			return { action: 'color', target: parseTarget(first), color: words.slice(1).join(' ') };
		case 'text':
		case 'show_text':
			return {
				action: 'text',
				text: sent.trim().slice(verb.length).trim(),
				x: 0.5,
				y: 0.1,
				size: 20,
				color: 'white',
			};
		case 'endgame':
			only(1);
			return { action: 'endgame', winner_team: whole(first, 'the winning team') };
		case 'set_field':
		case 'add_field':
			only(3);
			return {
				action: verb.toLowerCase(),
				target: parseTarget(first),
				field: second ?? '',
				value: number(third, 'the value'),
			};
		case 'give_item':
			only(3);
			return {
				action: 'give_item',
				target: parseTarget(first),
				item_id: whole(second, 'the item'),
				count: third === undefined ? 1 : whole(third, 'the count'),
			};
		case 'emit':
			only(1);
			if (first === undefined) throw new RuleTextError(`"${sent}" names no signal`);
			return { action: 'emit', name: first, data: null };
	}
	const near = nearest(verb, ACTIONS);
	throw new RuleTextError(
		`the action "${sent}" is not understood${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${ACTIONS.join(', ')}`,
	);
}

function truth(text: string): boolean {
	const low = text.toLowerCase();
	if (low !== 'true' && low !== 'false') throw new RuleTextError(`combat is true or false, got "${text}"`);
	return low === 'true';
}

/** `spawn MESH X,Y,Z [color] [health] [team] [combat] [waypoints] [speed] [scale] [gold_bounty] [xp_bounty] [role] [count]`; `-` skips one. */
function readSpawn(words: readonly string[]): unknown {
	const [mesh, place, color, health, team, combat, waypoints, speed, scale, gold, xp, role, count] =
		words.map((w) => (w === '-' ? undefined : w));
	if (words.length > 13) throw new RuleTextError('spawn takes at most 13 words');
	if (mesh === undefined) throw new RuleTextError('spawn needs a mesh and a place');
	const given = <T>(text: string | undefined, read: (text: string) => T) =>
		text === undefined ? undefined : read(text);
	return {
		action: 'spawn',
		mesh,
		position: vector(place, 'the place'),
		color,
		health: given(health, (t) => number(t, 'the health')),
		team: given(team, (t) => whole(t, 'the team')),
		combat: given(combat, truth),
		waypoints: given(waypoints, (t) => t.split(':').map((w) => vector(w, 'a waypoint'))),
		speed: given(speed, (t) => number(t, 'the speed')),
		scale: given(scale, (t) => vector(t, 'the scale')),
		gold_bounty: given(gold, (t) => whole(t, 'the gold')),
		xp_bounty: given(xp, (t) => whole(t, 'the experience')),
		role,
		count: given(count, (t) => whole(t, 'the count')),
	};
}
