/** Declaration of a kind of action of rules. Owns: the parts of a declaration. */

import * as z from 'zod';
import { titleOf } from '../../contract/title.ts';
import { optional, word } from '../../contract/values.ts';
import type { VerbAccess } from '../access.ts';
import { readTarget, targetDocument } from '../targets/index.ts';
import type { Words } from '../verb-text.ts';

/** Schema of the field `target` of actions that act on entities. */
export const target = targetDocument;

/** Schema of the field `by` of actions that can be credited to an entity. */
export const creditField = optional(word(['this', 'source'], 'Entity credited with it; left out: none'));

/** Reads the field `target`, which is the first word of most actions. */
export const readTargetField = (text: string | undefined) => ({ target: readTarget(text) });

/** Names that an action can give to entities. */
export interface ActionProvides {
	readonly tag?: readonly string[];
	readonly name?: readonly string[];
	readonly effect?: readonly string[];
}

/** Time at which most actions take effect. */
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
	readonly constraints?: Readonly<Record<string, unknown>>;
	readonly doc?: string;
	/** Words after "Takes effect": the tick of the effect, and for a deadly action the tick on which an entity is dead. */
	readonly when: string;
	/**
	 * Syntax after the verb in the short text. Words are separated by blanks; [words in brackets] are optional, `-`
	 * skips one.
	 */
	readonly form: string;
	/** Maximum number of words after the verb. By default it is unlimited. */
	readonly maxWords?: number;
	/** Reads the fields from the words. `rest`: the whole text after the verb. Throws a Refusal. */
	read(words: Words, verb: string, rest: string): object;
	/** Returns the words of an action; undefined for an omitted word. Without this function, actions are written as JSON. */
	write?(action: z.output<z.ZodObject<S>>): Words;
	/** Returns the number of entities that one run spawns. */
	readonly spawns?: (action: z.output<z.ZodObject<S>>) => number;
	/** Returns the labels, names and effects that an action can give to entities. Conditions may use them. */
	readonly provides?: (action: z.output<z.ZodObject<S>>) => ActionProvides;
	/** Other fields with targets, besides `target`. */
	readonly targetFields?: readonly (keyof S & string)[];
	/** Names that an action reads and writes, and events that it sends. Names for finding its targets are not included. */
	readonly access: VerbAccess | ((action: z.output<z.ZodObject<S>>) => VerbAccess);
}

/** Declares a kind of action. */
export const action = <const K extends string, S extends Readonly<Record<string, z.ZodType>>>(
	declared: ActionKind<K, S>,
): ActionKind<K, S> => declared;

/** Returns the schema of the typed form of a kind of action. `word`: its kind or its alias. */
export function schemaOf<K extends string, S extends Readonly<Record<string, z.ZodType>>>(
	{ kind, fields, constraints, doc, when }: ActionKind<K, S>,
	word: string = kind,
) {
	const schema = z.strictObject({ action: z.literal(word as K), ...fields });
	return schema.meta({
		id: `${titleOf(word)}Action`,
		...constraints,
		description: `${doc === undefined ? '' : `${doc}. `}Takes effect ${when}.`,
	});
}

/** Returns the verbs of a kind of action. */
export const wordsOf = ({ kind, alias }: ActionKind): string[] =>
	alias === undefined ? [kind] : [kind, alias];
