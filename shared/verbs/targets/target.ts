/** The declaration of a kind of target: the entities that an action acts on. Owns: the parts of a declaration. */

import type * as z from 'zod';
import type { VerbAccess } from '../access.ts';

/** Entity that the condition of a rule must set, so that a target can name it. */
export type RequiredPart = 'subject' | 'source';

/** A target that is only a word. */
export interface TargetWord<K extends string = string> {
	readonly kind: K;
	readonly needs?: RequiredPart;
	/** Number of its entities: at most one, or any. Set only if finding them searches all entities. */
	readonly cardinality?: 'one' | 'many';
	readonly access: VerbAccess;
}

/** A target that is a record with one key. */
export interface TargetRecord<K extends string = string, V extends z.ZodType = z.ZodType> {
	readonly kind: K;
	readonly value: V;
	/** Syntax of the short text after `kind:`. */
	readonly form: string;
	/** Reads the text after `kind:`. Throws a Refusal. */
	read(text: string): z.input<V>;
	/** Writes the text after `kind:`. By default it is the value itself. */
	write?(value: z.output<V>): string;
	readonly needs?: RequiredPart;
	/** Number of its entities: at most one, or any. Set only if finding them searches all entities. */
	readonly cardinality?: 'one' | 'many';
	readonly access: VerbAccess;
	/** True if the value is a filter. Its reads and its checks then apply to the target too. */
	readonly filter?: true;
}

export const targetWord = <const K extends string>(declared: TargetWord<K>): TargetWord<K> => declared;

export const targetRecord = <const K extends string, V extends z.ZodType>(
	declared: TargetRecord<K, V>,
): TargetRecord<K, V> => declared;
