/** The declaration of a kind of target: whom an action is about. Owns: what there is to say of one. */

import type * as z from 'zod';
import type { Access } from '../access.ts';

/** What a rule must be about for a target to name anybody. */
export type Needed = 'subject' | 'source';

/** A target that is a word alone. */
export interface TargetWord<K extends string = string> {
	readonly kind: K;
	readonly needs?: Needed;
	/** Whether all entities are looked at to find whom it names, and whether that may be many. */
	readonly names?: 'one' | 'many';
	readonly access: Access;
}

/** A target that is a record of one key. */
export interface TargetRecord<K extends string = string, V extends z.ZodType = z.ZodType> {
	readonly kind: K;
	readonly value: V;
	/** How the short text goes on after `kind:`. */
	readonly form: string;
	/** Reads what follows `kind:`. Throws a VerbTextError. */
	read(text: string): z.input<V>;
	readonly needs?: Needed;
	/** Whether all entities are looked at to find whom it names, and whether that may be many. */
	readonly names?: 'one' | 'many';
	readonly access: Access;
	/** Whether the value is a filter, whose words count as well. */
	readonly filter?: true;
}

export const targetWord = <const K extends string>(declared: TargetWord<K>): TargetWord<K> => declared;

export const targetRecord = <const K extends string, V extends z.ZodType>(
	declared: TargetRecord<K, V>,
): TargetRecord<K, V> => declared;
