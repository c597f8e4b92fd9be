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
	/** True if the condition contains the quantifier. Otherwise it is the default of the kind. */
	readonly isGiven: boolean;
	readonly filter: InnerCondition;
	readonly of: InnerCondition;
}

export type ConditionShape = Readonly<Record<string, z.ZodType>>;

/** True for each entity that a condition has: a subject (`this`), and a source (`source`) that caused it. */
export interface About {
	readonly subject: boolean;
	readonly source: boolean;
}

export const ABOUT_WORLD: About = { subject: false, source: false };
export const ABOUT_SUBJECT: About = { subject: true, source: false };

/** Writes the parts of a condition in words. */
export interface ConditionWriter {
	/** Returns a number in the form for the reader. */
	number(value: number): string;
	/** Returns the words of a condition inside another. */
	inner(condition: InnerCondition): string;
}

/** The short text `word:value`. */
export interface ColonText {
	/** Words before the colon. The default is the word of the typed form with - instead of _. */
	readonly words?: readonly string[];
	/** Form of the text, such as `timer:SECONDS`. */
	readonly form: string;
	/** Allowed values after the colon. The nearest is suggested for an unknown one. */
	readonly values?: readonly string[];
	/** Reads the text after the colon. Returns null for an unknown text. Throws a Refusal. */
	read(value: string | undefined): object | null;
}

/** The short text `word more words`. */
export interface BlankText {
	/** Words at the start of the text. The word of the typed form is accepted, too. */
	readonly words: readonly string[];
	/** Form of the text, such as `phase NAME`. */
	readonly form: string;
	/** Reads the next word and its value. Returns false if the word is a filter. Throws a Refusal. */
	take?(reader: WordReader): boolean;
}

export interface ConditionKind<
	N extends string = string,
	S extends ConditionShape = ConditionShape,
	C = object,
> {
	readonly name: N;
	/** Key of the typed form that names the kind. Both keys are accepted for every kind. */
	readonly key: 'kind' | 'type';
	/** Word under that key. The default is the name. */
	readonly word?: string;
	/** Other accepted words under that key. */
	readonly aliases?: readonly string[];
	fields(language: ConditionLanguage): S;
	/** Name of the kind in lists of rules. The default is its word. */
	readonly listedAs?: string;
	/** Description: when it holds, and which entity `this` is. */
	readonly doc: string;
	/** Presence of a subject and a source. A compound derives it from its parts. */
	readonly about: About | ((condition: C, of: (inner: InnerCondition) => About) => About);
	/** True if it happens on single ticks instead of lasting. `parts`: true if it is true for a part of the compound. */
	readonly momentary?: boolean | 'parts' | ((condition: C) => boolean);
	/** True if it is tested for each entity separately. Short texts can join such conditions with +. */
	readonly isPredicate?: true;
	/** True if it depends on the positions of entities in its previous test. */
	readonly hasMemory?: true;
	/** True if it matches every entity. */
	readonly matchesAll?: true;
	/** True if it selects the entities of a group. Otherwise it makes a claim about them. */
	readonly isSelector?: true;
	/** Returns the selected group as words after "entities", such as "with tag creep". */
	sayGroup?(condition: C): string;
	/** True if it holds when one of its parts holds. */
	readonly isDisjunction?: true;
	/** True if it holds for an entity when all its parts hold. */
	readonly isConjunction?: true;
	/** True if it holds for an entity when its part does not. */
	readonly isNegation?: true;
	/** True if it happens at most once in each life of an entity. */
	readonly isOncePerLife?: true;
	/** Returns the claim about each entity of the group, for kinds about a group. */
	claim?(condition: C): QuantifiedClaim;
	/** Returns the condition with a quantifier, for kinds with a quantifier of their own. */
	quantify?(condition: C, quantifier: Quantifier): InnerCondition;
	readonly colon?: ColonText;
	readonly blank?: BlankText;
	/** Throws a Refusal for a fault that the schema cannot express, such as an unknown name. */
	check?(condition: C, about: (inner: InnerCondition) => About): void;
	/** Returns the short text of a condition; null if it has none. */
	write?(condition: C, write: (inner: InnerCondition) => string): string | null;
	/** Returns the condition in words. */
	say(condition: C, voice: ConditionWriter): string;
	/** Names that it reads, without those for its parts and its subject. */
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
export const typeCondition = <const N extends string, S extends ConditionShape>(
	declared: Omit<ConditionKind<N, S, FormOf<'type', N, S>>, 'key'>,
): ConditionKind<N, S, FormOf<'type', N, S>> => ({ ...declared, key: 'type' });

/** Returns the schema of the field `filter` of kinds about a group. */
export const groupFilter = ({ filter }: ConditionLanguage) =>
	filter.default({ type: 'any' }).describe('Filter, as a short text or a typed condition');

/** Returns the text of a group's filter; null for all entities, which need no text. */
export function writeGroup(
	filter: InnerCondition | string,
	write: (inner: InnerCondition) => string,
): string | null {
	const text = typeof filter === 'string' ? filter : write(filter);
	return text === 'any' ? null : text;
}

/** Joins the words of a short text. Skips null. */
export const joinWords = (...words: readonly (string | null)[]): string =>
	words.filter((word) => word !== null).join(' ');
