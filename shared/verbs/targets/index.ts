/**
 * All kinds of targets, and data from their declarations: the typed forms and the short texts.
 * To add one, declare it in a new file here, list it below, and implement it in `web/sim/rules/targets/`.
 */

import * as z from 'zod';
import { Refusal } from '../../contract/errors.ts';
import { withoutQuotes } from '../verb-text.ts';
import { all } from './all.ts';
import { entity } from './entity.ts';
import { nearest } from './nearest.ts';
import { source } from './source.ts';
import { tag } from './tag.ts';
import type { TargetRecord, TargetWord } from './target.ts';
import { team } from './team.ts';
import { thisEntity } from './this.ts';

const WORDS = [thisEntity, source] as const;
const RECORDS = [entity, tag, team, nearest, all] as const;

export const TARGETS: readonly (TargetWord | TargetRecord)[] = [...WORDS, ...RECORDS];

type Word = (typeof WORDS)[number]['kind'];
type Records = (typeof RECORDS)[number];

/** Name of a kind of target. */
export type TargetName = Word | Records['kind'];

/** Value of a target of one kind: its word, or the value under its key. */
export type TargetValue<K extends TargetName> = K extends Word
	? K
	: z.output<Extract<Records, { kind: K }>['value']>;

type RecordOf<R> = R extends TargetRecord<infer K, infer V> ? { [N in K]: z.output<V> } : never;

export type Target = Word | RecordOf<Records>;

const words = WORDS.map(({ kind }) => kind) as readonly string[];

const word = z
	.preprocess(
		(value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
		z.enum(words as [Word, ...Word[]]),
	)
	.describe('this: the entity for which the rule fired; source: the entity that caused it');

const records = RECORDS.map(({ kind, value }) => z.strictObject({ [kind]: value }));

const forms = [
	...words,
	...RECORDS.map((record) => ('filter' in record ? `{${record.kind}: filter}` : `{${record.kind}}`)),
];

/** Target of an action: the entities on which it acts. */
export const targetDocument = z
	.union([word, ...records])
	.describe(`${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`)
	.meta({ id: 'Target' }) as unknown as z.ZodType<Target>;

/** Syntax of a target in a short text. */
export const TARGET_FORMS = [...words, ...RECORDS.map(({ kind, form }) => `${kind}:${form}`)].join(', ');

/** Returns the kind of a target, and its value. */
export function targetParts(target: Target): { readonly kind: TargetName; readonly value: unknown } {
	if (typeof target === 'string') return { kind: target, value: target };
	const [[kind, value]] = Object.entries(target) as [[TargetName, unknown]];
	return { kind, value };
}

/** Returns the declaration of a target's kind. */
export function targetKind(target: Target): TargetWord | TargetRecord {
	const { kind } = targetParts(target);
	return TARGETS.find((declared) => declared.kind === kind)!;
}

/** Writes a target such as `nearest:team:2`. */
export function writeTarget(target: Target): string {
	const { kind, value } = targetParts(target);
	const declared = (RECORDS as readonly TargetRecord[]).find((record) => record.kind === kind);
	return declared === undefined ? kind : `${kind}:${declared.write?.(value as never) ?? String(value)}`;
}

/** Reads a target such as `nearest:team:2`. Throws a Refusal. */
export function readTarget(text: string | undefined): Target {
	const lowerCase = text?.trim().toLowerCase() ?? '';
	const plain = WORDS.find(({ kind }) => kind === lowerCase);
	if (plain !== undefined) return plain.kind;
	const [name = '', ...rest] = (text ?? '').split(':');
	const declared = (RECORDS as readonly TargetRecord[]).find(({ kind }) => kind === name.toLowerCase());
	if (declared !== undefined)
		return { [declared.kind]: declared.read(withoutQuotes(rest.join(':'))) } as Target;
	throw new Refusal(
		text === undefined
			? `a target is missing; known: ${TARGET_FORMS}`
			: `the target "${text}" is not understood; known: ${TARGET_FORMS}`,
	);
}
