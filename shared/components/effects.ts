/**
 * Status effects: timed changes of an entity, and the texts that describe them.
 * Owns: the syntax of modifiers (`stat:op:value`), of ticks (`dps:N`) and of stacking.
 */

import * as z from 'zod';
import { component, json, scalar } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { pastTick, tick } from '../contract/tick.ts';
import { flag, number, optional, text } from '../contract/values.ts';

export const MODIFIER_OPS = ['set', 'add', 'multiply'] as const;

export interface Modifier {
	readonly stat: string;
	readonly op: (typeof MODIFIER_OPS)[number];
	readonly value: number;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_AMOUNT = 1e9;
/** Maximum length of the name of a stat (characters). */
const MAX_STAT = 80;

/** Patterns of the stored texts, also in the schema. Parsing accepts more texts. */
const AMOUNT = String.raw`(?:1000000000|\d{1,9}(?:\.\d+)?)(?:e-\d{1,3})?`;
const MODIFIER = String.raw`^[^\s:](?:[^:]{0,${MAX_STAT - 2}}[^\s:])?:(?:set|add|multiply):-?${AMOUNT}$`;
const TICK_EFFECT = String.raw`^(?:(?:dps|hps):${AMOUNT}|custom:\S(?:[\s\S]*\S)?)$`;
const STACK_POLICY = '^(?:replace|refresh|stack(?::[1-9]\\d{0,3}(?::refresh)?)?)$';

function parseAmount(digits: string): number | null {
	const value = NUMBER.test(digits) ? Number(digits) : Number.NaN;
	return Math.abs(value) <= MAX_AMOUNT ? value : null;
}

/** Parses `stat:op:value`; returns null for an invalid text. `mul` is short for multiply. */
export function parseModifier(modifier: string): Modifier | null {
	const [stat = '', word = '', digits = ''] = modifier.split(':').map((part) => part.trim());
	const op = word.toLowerCase() === 'mul' ? 'multiply' : word.toLowerCase();
	const value = parseAmount(digits);
	if (stat === '' || stat === '__proto__' || stat.length > MAX_STAT) return null;
	if (value === null || modifier.split(':').length !== 3) return null;
	return MODIFIER_OPS.includes(op as Modifier['op']) ? { stat, op: op as Modifier['op'], value } : null;
}

export function modifierToText({ stat, op, value }: Modifier): string {
	return `${stat}:${op}:${value}`;
}

/** Effect of a buff or debuff on every tick. */
export type TickEffect =
	| { readonly kind: 'dps' | 'hps'; readonly rate: number }
	| { readonly kind: 'custom'; readonly name: string };

/** Parses `dps:N`, `hps:N` or `custom:NAME`; returns null for an invalid text. */
export function parseTickEffect(effect: string): TickEffect | null {
	const separator = effect.indexOf(':');
	const [word, rest] = [effect.slice(0, separator).trim().toLowerCase(), effect.slice(separator + 1).trim()];
	if (separator < 0 || rest === '') return null;
	if (word === 'custom') return { kind: 'custom', name: rest };
	const rate = parseAmount(rest);
	if (rate === null || rate < 0 || (word !== 'dps' && word !== 'hps')) return null;
	return { kind: word, rate };
}

export function tickEffectToText(tick: TickEffect): string {
	return tick.kind === 'custom' ? `custom:${tick.name}` : `${tick.kind}:${tick.rate}`;
}

/**
 * Rule for effects with the same tag: at most `most` are active together. With `refresh`, a further one refreshes the
 * oldest.
 */
export interface StackPolicy {
	readonly kind: 'replace' | 'refresh' | 'stack';
	readonly most: number;
	readonly refresh: boolean;
}

const DEFAULT_STACKS = 5;

/** Parses `replace`, `refresh`, `stack`, `stack:N` or `stack:N:refresh`; returns null for an invalid text. */
export function parseStackPolicy(policy: string): StackPolicy | null {
	const [word, most = `${DEFAULT_STACKS}`, refresh, ...rest] = policy.trim().toLowerCase().split(':');
	if (policy.includes(':') && word !== 'stack') return null;
	if (word === 'replace' || word === 'refresh') return { kind: word, most: 1, refresh: word === 'refresh' };
	if (word !== 'stack' || !/^\d{1,4}$/.test(most) || Number(most) < 1 || rest.length > 0) return null;
	if (refresh !== undefined && refresh !== 'refresh') return null;
	return { kind: 'stack', most: Number(most), refresh: refresh === 'refresh' };
}

/**
 * Returns the schema of a text that is stored in its canonical form, which matches the pattern. `canonical` returns null
 * for an invalid text.
 */
function canonicalText(
	schema: z.ZodString,
	canonical: (sent: string) => string | null,
	pattern: string,
	refusal: string,
) {
	return schema
		.overwrite((sent) => canonical(sent) ?? sent)
		.refine((sent) => canonical(sent) !== null, refusal)
		.meta({ pattern });
}

const writeParsed = <T>(parsed: T | null, write: (parsed: T) => string): string | null =>
	parsed === null ? null : write(parsed);

export const modifierText = canonicalText(
	text('Change of a stat, written stat:op:value; op is set, add or multiply', 120),
	(sent) => writeParsed(parseModifier(sent), modifierToText),
	MODIFIER,
	'a modifier must be stat:op:value, where op is set, add or multiply',
);

export const tickEffectText = canonicalText(
	text(
		'Effect on every tick: dps:N (N damage per second), hps:N (N healing per second) or custom:NAME (sends the signal NAME)',
		120,
	),
	(sent) => writeParsed(parseTickEffect(sent), tickEffectToText),
	TICK_EFFECT,
	'a tick effect must be dps:N, hps:N or custom:NAME',
);

export const stackPolicyText = canonicalText(
	text(
		'How it combines with effects of the same tag. replace: removes them. refresh: gives the existing effect the new modifiers and tick effect, and the longer of the remaining and the new duration. stack or stack:N: allows N together (default 5) and refuses more. stack:N:refresh: the same, but one more refreshes the oldest',
		40,
	),
	(sent) => writeParsed(parseStackPolicy(sent), () => sent.trim().toLowerCase().replace(/:0+/, ':')),
	STACK_POLICY,
	'a stack policy must be replace, refresh, stack, stack:N or stack:N:refresh',
);

/** Schema of an effect in calls, spawn documents and rules. */
export const effectDocument = z
	.strictObject({
		tag: text('Name of the effect', 100).min(1).default('effect'),
		duration: number('Duration', { unit: 's', min: 0, max: 1e7 }).default(5),
		permanent: optional(flag('Lasts until it is removed; the duration is ignored')),
		modifiers: z.array(modifierText).max(50).default([]),
		stack_policy: stackPolicyText.default('replace'),
		tick_effect: optional(tickEffectText),
	})
	.meta({ id: 'Effect' });

export type EffectDocument = z.output<typeof effectDocument>;

const entry = z.strictObject({
	id: z.int().describe('Id of the effect, unique within its entity'),
	tag: z.string(),
	modifiers: z.array(modifierText).describe('Changes of stats, each written stat:op:value'),
	stack_policy: stackPolicyText,
	tick_effect: tickEffectText.nullable().describe('dps:N, hps:N, custom:NAME, or null'),
	source: handle.nullable().describe('Entity credited with it'),
	from: pastTick('First tick on which it is active'),
	until: tick('First tick on which it is no longer active; null: never').nullable(),
});

export type StatusEffect = z.output<typeof entry>;

export const Effects = component({
	name: 'effects',
	title: 'StatusEffects',
	scope: 'state',
	summary: 'Status effects on an entity, oldest first',
	fields: {
		list: json<readonly StatusEffect[]>(z.array(entry), [], 'The effects, oldest first'),
		next: scalar('u32', 'Id of the next effect', { initial: 1, hidden: true }),
	},
	readout: { schema: z.array(entry), from: (row) => row.list },
});
