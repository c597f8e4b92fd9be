/** The declaration of a kind of condition: a state that holds or an event that happens. Owns: what a declaration contains. */

import type * as z from 'zod';
import type { WordReader } from '../word-reader.ts';
import type { Quantifier } from './quantifier.ts';

/** A condition inside another one, of any kind. */
export interface InnerCondition {
	readonly kind?: string;
	readonly type?: string;
}

/** The schemas of conditions, for kinds that contain other conditions. */
export interface ConditionLanguage {
	readonly condition: z.ZodType<InnerCondition>;
	/** A condition, or its short text. */
	readonly filter: z.ZodType<InnerCondition | string>;
}

/** A claim about the entities of a group. */
export interface QuantifiedClaim {
	readonly quantifier: Quantifier;
	/** True if the quantifier was given; otherwise it is the reading of the kind. */
	readonly isGiven: boolean;
	readonly filter: InnerCondition;
	readonly of: InnerCondition;
}

export type ConditionShape = Readonly<Record<string, z.ZodType>>;

/** Presence of a subject (`this`) in a condition, and of a source (`source`), the entity that caused it. */
export interface About {
	readonly subject: boolean;
	readonly source: boolean;
}

export const ABOUT_WORLD: About = { subject: false, source: false };
export const ABOUT_SUBJECT: About = { subject: true, source: false };

/** Wording of a condition; the reader chooses how numbers are written. */
export interface ConditionWriter {
	number(value: number): string;
	/** Returns a condition inside another. */
	inner(condition: InnerCondition): string;
}

/** The short text `word:value`. */
export interface ColonText {
	/** The word, when it is not that of the typed form with - for _. */
	readonly words?: readonly string[];
	/** Such as `timer:SECONDS`. */
	readonly form: string;
	/** Values that are allowed after the colon, from which the nearest is suggested. */
	readonly values?: readonly string[];
	/** Reads what follows the colon; null if that is not understood. Throws a Refusal. */
	read(value: string | undefined): object | null;
}

/** The short text `word more words`. */
export interface BlankText {
	readonly words: readonly string[];
	readonly form: string;
	/** Takes the next word and its value; false if that word is a filter. Throws a Refusal. */
	take?(reader: WordReader): boolean;
}

export interface ConditionKind<
	N extends string = string,
	S extends ConditionShape = ConditionShape,
	C = object,
> {
	readonly name: N;
	/** The key of the typed form that names the kind. Both keys are accepted for every kind. */
	readonly key: 'kind' | 'type';
	/** The word under that key; the name by default. */
	readonly word?: string;
	/** Other words that are accepted there. */
	readonly aliases?: readonly string[];
	fields(language: ConditionLanguage): S;
	/** Kind under which lists of rules show it. */
	readonly listedAs?: string;
	/** Description: when it holds, and which entity `this` is. */
	readonly doc: string;
	/** Its subject and its source; a compound derives this from its parts. */
	readonly about: About | ((condition: C, of: (inner: InnerCondition) => About) => About);
	/** Happens on single ticks instead of lasting; a compound says `parts`: if one of its parts does. */
	readonly momentary?: boolean | 'parts' | ((condition: C) => boolean);
	/** Is tested for each entity separately: in short texts it can be joined with others by +. */
	readonly predicate?: true;
	/** Depends on where entities were when it was looked at before. */
	readonly remembers?: true;
	/** Matches every entity. */
	readonly matchesAll?: true;
	/** Selects a group, instead of stating something about its members. */
	readonly chooses?: true;
	/** Returns the group that it selects, as words after "entities", such as "with tag creep". */
	sayGroup?(condition: C): string;
	/** Holds when one of its parts does. */
	readonly either?: true;
	/** Holds for an entity when all its parts do. */
	readonly joins?: true;
	/** Holds for an entity when its part does not. */
	readonly negates?: true;
	/** Fires at most once in each life of an entity. */
	readonly onceInLife?: true;
	/** Returns its claim about each entity of a group, for kinds that are about a group. */
	claim?(condition: C): QuantifiedClaim;
	/** Returns the condition with a quantifier, for kinds that take one themselves. */
	quantify?(condition: C, quantifier: Quantifier): InnerCondition;
	readonly colon?: ColonText;
	readonly blank?: BlankText;
	/** Throws a Refusal for what the schema cannot express: names that do not exist, a minimum above the maximum. */
	check?(condition: C, about: (inner: InnerCondition) => About): void;
	/** Returns its short text; null for one that has none. */
	write?(condition: C, write: (inner: InnerCondition) => string): string | null;
	/** Returns the condition in words. */
	say(condition: C, voice: ConditionWriter): string;
	/** Names that it reads, besides those of its parts and of the choice of its subject. */
	readonly reads: readonly string[] | ((condition: C) => readonly string[]);
}

/** The typed form of a kind of condition. */
export type FormOf<K extends 'kind' | 'type', W extends string, S extends ConditionShape> = z.output<
	z.ZodObject<{ [key in K]: z.ZodLiteral<W> } & S>
>;

/** Declares a kind whose typed form has its word under `kind`. */
export const condition = <const N extends string, S extends ConditionShape>(
	declared: Omit<ConditionKind<N, S, FormOf<'kind', N, S>>, 'key'>,
): ConditionKind<N, S, FormOf<'kind', N, S>> => ({ ...declared, key: 'kind' });

/** Declares a kind whose typed form has its word under `type`. */
export const typed = <const N extends string, S extends ConditionShape>(
	declared: Omit<ConditionKind<N, S, FormOf<'type', N, S>>, 'key'>,
): ConditionKind<N, S, FormOf<'type', N, S>> => ({ ...declared, key: 'type' });

/** Returns the field `filter` of kinds that concern a group. */
export const group = ({ filter }: ConditionLanguage) =>
	filter.default({ type: 'any' }).describe('Filter, as a short text or a typed condition');

/** Returns the text of a group; null for every entity, which needs none. */
export function writeGroup(
	filter: InnerCondition | string,
	write: (inner: InnerCondition) => string,
): string | null {
	const text = typeof filter === 'string' ? filter : write(filter);
	return text === 'any' ? null : text;
}

/** Returns a short word and what follows it. */
export const blankText = (...words: readonly (string | null)[]): string =>
	words.filter((word) => word !== null).join(' ');
