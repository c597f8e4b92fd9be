/** The declaration of a kind of target: the entities that an action acts on. Owns: the parts of a declaration. */

import type * as z from 'zod';
import type { VerbAccess } from '../access.ts';

/** Parts that the condition of a rule must set for a target to name an entity. */
export type Needed = 'subject' | 'source';

/** A target that is a word alone. */
export interface TargetWord<K extends string = string> {
	readonly kind: K;
	readonly needs?: Needed;
	/** Defined if finding it searches all entities: the number of entities that it can name. */
	readonly names?: 'one' | 'many';
	readonly access: VerbAccess;
}

/** A target that is a record of one key. */
export interface TargetRecord<K extends string = string, V extends z.ZodType = z.ZodType> {
	readonly kind: K;
	readonly value: V;
	/** Syntax of the short text after `kind:`. */
	readonly form: string;
	/** Reads what follows `kind:`. Throws a Refusal. */
	read(text: string): z.input<V>;
	/** Returns the text that reads to a value; left out: the value itself. */
	write?(value: z.output<V>): string;
	readonly needs?: Needed;
	/** Defined if finding it searches all entities: the number of entities that it can name. */
	readonly names?: 'one' | 'many';
	readonly access: VerbAccess;
	/** True if the value is a filter; its words count as well. */
	readonly filter?: true;
}

export const targetWord = <const K extends string>(declared: TargetWord<K>): TargetWord<K> => declared;

export const targetRecord = <const K extends string, V extends z.ZodType>(
	declared: TargetRecord<K, V>,
): TargetRecord<K, V> => declared;
