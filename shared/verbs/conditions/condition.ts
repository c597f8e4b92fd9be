/** The declaration of a kind of condition: something that holds or happens. Owns: what there is to say of one. */

import type * as z from 'zod';
import { filterText } from '../filter-text.ts';
import type { WordReader } from '../word-reader.ts';

/** A condition within another one: of any kind there is. */
export interface InnerCondition {
	readonly kind?: string;
	readonly type?: string;
}

/** The schemas of conditions, for kinds that have others within them. */
export interface Language {
	readonly condition: z.ZodType<InnerCondition>;
	/** A condition, or its short text. */
	readonly filter: z.ZodType<InnerCondition | string>;
}

export type Shape = Readonly<Record<string, z.ZodType>>;

/** Whether a condition can be about somebody (`this`), and whether somebody can have caused it (`source`). */
export interface About {
	readonly subject: boolean;
	readonly source: boolean;
}

export const NOBODY: About = { subject: false, source: false };
export const SOMEBODY: About = { subject: true, source: false };

/** Refuses a condition for what one of its fields says. */
export type RefuseField = (field: string, reason: string, fix?: string) => never;

/** How things are said in words; numbers are written as the reader likes them. */
export interface Voice {
	number(value: number): string;
	/** A condition within another. */
	inner(condition: InnerCondition): string;
}

/** The short text `word:value`. */
export interface ColonText {
	/** The word, when it is not that of the typed form with - for _. */
	readonly words?: readonly string[];
	/** Such as `timer:SECONDS`. */
	readonly form: string;
	/** Words that may follow, to suggest the nearest. */
	readonly values?: readonly string[];
	/** Reads what follows the colon; null when that is not understood. Throws a VerbTextError. */
	read(value: string | undefined): object | null;
}

/** The short text `word more words`. */
export interface BlankText {
	readonly words: readonly string[];
	readonly form: string;
	/** Takes the word that comes next, and what belongs to it; false when it is a filter. Throws a VerbTextError. */
	take?(reader: WordReader): boolean;
}

export interface ConditionKind<N extends string = string, S extends Shape = Shape, C = object> {
	readonly name: N;
	/** The key of the typed form that says which kind it is. Either is understood for all. */
	readonly key: 'kind' | 'type';
	/** The word under that key; its name, unless told. */
	readonly word?: string;
	/** Other words that are understood there. */
	readonly also?: readonly string[];
	fields(language: Language): S;
	/** What lists of rules call it. */
	readonly listedAs?: string;
	/** When it holds, and who `this` is. */
	readonly doc: string;
	/** Of compounds: what their parts are. */
	readonly about: About | ((condition: C, of: (inner: InnerCondition) => About) => About);
	/** Happens on single ticks, instead of lasting; of compounds: `parts` when one of their parts does. */
	readonly momentary?: boolean | 'parts' | ((condition: C) => boolean);
	/** Is about each entity by itself: in short texts it can be joined with others by +. */
	readonly predicate?: true;
	/** Lets everybody through. */
	readonly everybody?: true;
	/** Chooses a group, instead of claiming something of those in it. */
	readonly chooses?: true;
	/** Holds for those for whom all its parts do. */
	readonly joins?: true;
	/** Says of whom it does not hold. */
	readonly negates?: true;
	/** Holds again for an entity only in another life. */
	readonly onceInLife?: true;
	readonly colon?: ColonText;
	readonly blank?: BlankText;
	/** Refuses what the shape cannot tell: words that name nothing, bounds that cross. */
	check?(condition: C, refuse: RefuseField): void;
	/** The short text of it, for those that are joined with +. */
	write?(condition: C, write: (inner: InnerCondition) => string): string;
	/** What it waits for, in words. */
	say(condition: C, voice: Voice): string;
	/** What it looks at, beside the conditions within it and whom it is about. */
	readonly reads: readonly string[] | ((condition: C) => readonly string[]);
}

/** The typed form of a kind. */
export type FormOf<K extends 'kind' | 'type', W extends string, S extends Shape> = z.output<
	z.ZodObject<{ [key in K]: z.ZodLiteral<W> } & S>
>;

/** Declares a kind whose typed form says which it is under `kind`. */
export const condition = <const N extends string, S extends Shape>(
	declared: Omit<ConditionKind<N, S, FormOf<'kind', N, S>>, 'key'>,
): ConditionKind<N, S, FormOf<'kind', N, S>> => ({ ...declared, key: 'kind' });

/** Declares a kind whose typed form says which it is under `type`. */
export const typed = <const N extends string, S extends Shape>(
	declared: Omit<ConditionKind<N, S, FormOf<'type', N, S>>, 'key'>,
): ConditionKind<N, S, FormOf<'type', N, S>> => ({ ...declared, key: 'type' });

/** The field of kinds that are about a group. */
export const group = ({ filter }: Language) =>
	filter.default({ type: 'any' }).describe(`${filterText.description}; or a typed condition`);
