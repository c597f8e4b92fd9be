/** Declarations of kinds of actions of rules. Owns: the parts of a declaration. */

import * as z from 'zod';
import { titleOf } from '../../contract/title.ts';
import { optional, word } from '../../contract/values.ts';
import type { VerbAccess } from '../access.ts';
import { readTarget, targetDocument } from '../targets/index.ts';
import type { Words } from '../verb-text.ts';

/** The field of actions that act on entities, in order. */
export const target = targetDocument;

/** The field of actions that can be credited to an entity. */
export const by = optional(word(['this', 'source'], 'Entity credited with it; left out: none'));

/** Reads the first word of most actions. */
export const aimed = (text: string | undefined) => ({ target: readTarget(text) });

/** Names that an action gives to entities. */
export interface ActionProvides {
	readonly tag?: readonly string[];
	readonly name?: readonly string[];
	readonly effect?: readonly string[];
}

/** The tick of most actions. */
export const AT_ONCE = 'immediately: later actions and rules of the tick see it';

export interface ActionKind<
	K extends string = string,
	S extends Readonly<Record<string, z.ZodType>> = Readonly<Record<string, z.ZodType>>,
> {
	readonly kind: K;
	/** Other word with the same meaning. */
	readonly alias?: string;
	readonly fields: S;
	/** Further constraints on the fields, in JSON Schema. */
	readonly needs?: Readonly<Record<string, unknown>>;
	readonly doc?: string;
	/** Words after "Takes effect": the tick of the effect, and for a deadly action the tick on which an entity is dead. */
	readonly when: string;
	/**
	 * Syntax after the verb in the short text. Words are separated by blanks; [words in brackets] are optional, `-`
	 * skips one.
	 */
	readonly form: string;
	/** Maximum number of words after the verb. By default any number may follow. */
	readonly most?: number;
	/** Returns the fields of the words; `rest` is the whole text after the verb. Throws a Refusal. */
	read(words: Words, verb: string, rest: string): object;
	/** Returns the words of an action; undefined for an omitted word. Without this function it has no short text. */
	write?(action: z.output<z.ZodObject<S>>): Words;
	/** Returns the number of entities that one run spawns. */
	readonly spawns?: (action: z.output<z.ZodObject<S>>) => number;
	/** Returns the labels and effects that it can give to entities. Conditions may name them. */
	readonly gives?: (action: z.output<z.ZodObject<S>>) => ActionProvides;
	/** Other fields with targets, besides `target`. */
	readonly aims?: readonly (keyof S & string)[];
	/** Names that it reads, besides those for finding its targets, and names that it writes and sends. */
	readonly access: VerbAccess | ((action: z.output<z.ZodObject<S>>) => VerbAccess);
}

export const action = <const K extends string, S extends Readonly<Record<string, z.ZodType>>>(
	declared: ActionKind<K, S>,
): ActionKind<K, S> => declared;

/** Returns the typed form of a kind of action, under its own word or another. */
export function schemaOf<K extends string, S extends Readonly<Record<string, z.ZodType>>>(
	{ kind, fields, needs, doc, when }: ActionKind<K, S>,
	word: string = kind,
) {
	const schema = z.strictObject({ action: z.literal(word as K), ...fields });
	return schema.meta({
		id: `${titleOf(word)}Action`,
		...needs,
		description: `${doc === undefined ? '' : `${doc}. `}Takes effect ${when}.`,
	});
}

/** Returns the words of a kind of action. */
export const wordsOf = ({ kind, alias }: ActionKind): string[] =>
	alias === undefined ? [kind] : [kind, alias];
