/**
 * The declaration of a component: the one place where its fields, scope and read-out stand.
 * Owns: the kinds of field, and the types derived from a declaration.
 * Storage, cloning, digest, read-out, saving and schema are all derived from it.
 */

import * as z from 'zod';
import { handle } from './handle.ts';

/**
 * `state`: forked, digested, saved. `view`: forked and saved, never digested.
 * `derived`: rebuilt from the rest, neither digested nor saved.
 */
export type ComponentScope = 'state' | 'view' | 'derived';

interface FieldDoc {
	/** Meaning of the field. */
	readonly doc: string;
	readonly unit?: string;
}

/** `size` numbers of 32 bits per entity. */
export interface NumberField<N extends number = number> extends FieldDoc {
	readonly kind: 'f32' | 'u32' | 'i32' | 'u8';
	readonly size: N;
	readonly initial: readonly number[];
	/** Range that rules clamp each number to, if narrower than its kind. */
	readonly range?: readonly [least: number, most: number];
	/** It shows nowhere and rules cannot name it: the engine keeps it for itself. */
	readonly hidden?: true;
	/**
	 * Number of values, from the first, that an entity has, if a word in another field decides it; the rest is not its
	 * own.
	 */
	readonly lengthBy?: { readonly field: string; readonly lengths: Readonly<Record<string, number>> };
}

/** One of a list of words, stored as its index. */
export interface WordField<W extends string = string> extends FieldDoc {
	readonly kind: 'word';
	readonly words: readonly W[];
}

/** A handle to another entity, or none. */
export interface EntityField extends FieldDoc {
	readonly kind: 'entity';
}

/** Text, a list or a record: any JSON value that the schema allows, replaced whole, never changed in place. */
export interface JsonField<T = unknown> extends FieldDoc {
	readonly kind: 'json';
	readonly schema: z.ZodType<T>;
	readonly initial: T;
	/** Field of a spawn document with the same content: values that it refuses are refused here too. */
	readonly documentField?: string;
	/**
	 * Few have another value than the initial one, which is null: while all have it, the field is neither digested nor
	 * saved.
	 */
	readonly sparse?: true;
	/** Large things that a value holds, with the bytes each takes: worlds whose values hold the same object share it. */
	weigh?(value: T): Iterable<readonly [thing: object, bytes: number]>;
}

export type Field = NumberField | WordField | EntityField | JsonField;

/** A handle as values carry it. */
export interface EntityHandle {
	readonly id: number;
	readonly generation: number;
}

/** The value of a field: a number, a tuple, a word, a handle or null, or JSON. */
export type FieldValue<F extends Field> =
	F extends NumberField<infer N>
		? N extends 1
			? number
			: N extends 3
				? readonly [number, number, number]
				: N extends 4
					? readonly [number, number, number, number]
					: readonly number[]
		: F extends WordField<infer W>
			? W
			: F extends EntityField
				? EntityHandle | null
				: F extends JsonField<infer T>
					? T
					: never;

export type Fields = Readonly<Record<string, Field>>;

/** All fields of one entity's component. */
export type Row<F extends Fields> = { readonly [K in keyof F]: FieldValue<F[K]> };

/** Fields of a spawn document, each of which may be left out or null. */
export type SpawnShape = Readonly<Record<string, z.ZodType>>;

/** Values that a document has in such fields. */
export type Described<S extends SpawnShape> = { readonly [K in keyof S]?: z.output<S[K]> | undefined };

/** Returns an entity's row of a component, or undefined. */
export type RowOf = <F extends Fields>(component: Component<F>) => Row<F> | undefined;

/** A component that comes with another one where the entity has none, with these values. */
export type Companion = readonly [component: Component, values: Readonly<Record<string, unknown>>];

/** Setting of a component by a document, and its description as a document: two sides of one thing. */
export interface SpawnSide<F extends Fields, S extends SpawnShape> {
	/** The fields of a document that are about it, the one that gives it first. */
	readonly fields: S;
	/** Fields of other components that also control it. */
	readonly otherFields?: readonly string[];
	/**
	 * Returns the values that a document gives; null if it gives the entity no such component. Adds to `warnings`
	 * what does nothing.
	 */
	row(document: Described<S> & Readonly<Record<string, unknown>>, warnings: string[]): Partial<Row<F>> | null;
	/**
	 * Returns the part of a document that gives these values, for `row`. Numbers of 32 bits come in their shortest
	 * form.
	 */
	describe(row: Row<F> | undefined, rowOf: RowOf): Described<S> & Readonly<Record<string, unknown>>;
	/** Returns the components that these values bring. */
	brings?(row: Partial<Row<F>>): readonly Companion[];
}

interface ComponentDeclaration<F extends Fields, S extends SpawnShape> {
	/** snake_case; also the key in the read-out unless `readout` says otherwise. */
	readonly name: string;
	/** PascalCase, as GET /schema lists it. */
	readonly title: string;
	readonly scope: ComponentScope;
	readonly summary: string;
	readonly fields: F;
	/** Form in an entity's read-out. Without one: a record of its fields. Null: not shown. */
	readonly readout?: {
		readonly key?: string;
		readonly schema: z.ZodType;
		/** Returns the shown value of one entity's row. Without it: a record of its fields. */
		from?(row: Row<F>): unknown;
		/** A second key, where the first shows less than everything. */
		readonly second?: { readonly key: string; readonly schema: z.ZodType; from(row: Row<F>): unknown };
	} | null;
	/** Form in spawn documents. Without it, only exact values have it. */
	readonly spawn?: SpawnSide<F, S>;
	/** False if callers cannot remove it: entities need it, or the engine maintains it. */
	readonly removable?: boolean;
	/** True if single values have no meaning: exact values are set together, and must be valid as a spawn document. */
	readonly whole?: boolean;
	/** False if documents have their own section for it. */
	readonly inEntries?: boolean;
}

export interface Component<F extends Fields = Fields, S extends SpawnShape = SpawnShape>
	extends ComponentDeclaration<F, S> {
	/** Place in the list of components, which sets it; -1 outside the list. */
	index: number;
}

/** Declares a component. All of them have the same properties in the same order: every look at a world reads `index`. */
export function component<const F extends Fields, const S extends SpawnShape = Record<never, never>>({
	name,
	title,
	scope,
	summary,
	fields,
	readout,
	spawn,
	removable,
	whole,
	inEntries,
}: ComponentDeclaration<F, S>): Component<F, S> {
	const all = { index: -1, name, title, scope, summary, fields, readout, spawn, removable, whole, inEntries };
	return all as Component<F, S>;
}

/** Returns a scalar number field. */
export function scalar(
	kind: NumberField['kind'],
	doc: string,
	{ initial = 0, ...more }: { initial?: number } & Pick<NumberField, 'unit' | 'range' | 'hidden'> = {},
): NumberField<1> {
	return { kind, size: 1, doc, ...more, initial: [initial] };
}

/** Returns a number that is 1 for yes and 0 for no. */
export function yesNo(doc: string, initial: 0 | 1 = 0): NumberField<1> {
	return scalar('u8', doc, { initial, range: [0, 1] });
}

/** Three 32-bit numbers x, y, z. */
export function vector3(doc: string, unit: string, initial: readonly number[] = [0, 0, 0]): NumberField<3> {
	return { kind: 'f32', size: 3, doc, unit, initial };
}

/** Returns a unit quaternion x, y, z, w. */
export function quaternion4(doc: string): NumberField<4> {
	return { kind: 'f32', size: 4, doc, unit: 'unit quaternion', initial: [0, 0, 0, 1] };
}

export function words<const W extends string>(list: readonly W[], doc: string): WordField<W> {
	return { kind: 'word', words: list, doc };
}

/** Returns the number under which columns store a word of a field. */
export function wordIndex<F extends Fields, K extends keyof F & string>(
	{ fields }: Component<F>,
	field: K,
	word: F[K] extends WordField<infer W> ? W : never,
): number {
	return (fields[field] as unknown as WordField).words.indexOf(word);
}

export function entityRef(doc: string): EntityField {
	return { kind: 'entity', doc };
}

export function json<T>(
	schema: z.ZodType<T>,
	initial: T,
	doc: string,
	more: Pick<JsonField<T>, 'documentField' | 'sparse' | 'weigh'> = {},
): JsonField<T> {
	return { kind: 'json', schema, initial, doc, ...more };
}

/** Returns the schema of one field's value, as documentation and read-outs show it. */
export function fieldSchema(field: Field): z.ZodType {
	const doc = field.unit === undefined ? field.doc : `${field.doc} (${field.unit})`;
	switch (field.kind) {
		case 'f32':
		case 'u32':
		case 'i32':
		case 'u8': {
			const one = field.kind === 'f32' ? z.number() : z.int();
			if (field.size === 1) return one.describe(doc);
			const parts = Array.from({ length: field.size }, () => one) as [z.ZodNumber, ...z.ZodNumber[]];
			return z.tuple(parts).describe(doc);
		}
		case 'word':
			return z.enum(field.words as [string, ...string[]]).describe(doc);
		case 'entity':
			return handle.nullable().describe(doc);
		case 'json':
			return field.schema.describe(doc);
	}
}

/** Returns the schema of a component as a read-out shows it. */
export function readoutSchema(component: Component): z.ZodType {
	if (component.readout) return component.readout.schema.describe(component.summary);
	return z
		.strictObject(Object.fromEntries(Object.entries(component.fields).map(([k, f]) => [k, fieldSchema(f)])))
		.describe(component.summary);
}

/** Returns the key under which a component shows in a read-out, or null if it does not. */
export function readoutKey(component: Component): string | null {
	if (component.readout === null) return null;
	return component.readout?.key ?? component.name;
}

/** Form of a component that is one value in a document: under one field, the same as in a column. */
export function spawnedAs<K extends string, C extends string, T extends z.ZodType>(
	key: K,
	column: C,
	schema: T,
) {
	type Value = NonNullable<z.output<T>>;
	type Shape = { readonly [P in K]: T };
	return {
		fields: { [key]: schema } as Shape,
		row: (document: Described<Shape>) => {
			const value = document[key];
			return value == null ? null : ({ [column]: value } as { readonly [P in C]: Value });
		},
		describe: (row: { readonly [P in C]: Value } | undefined) =>
			({ [key]: row?.[column] }) as Described<Shape>,
	};
}

/** Returns a vector as a document carries it: a list of its own. */
export function listOf<T extends readonly number[]>(vector: T): { -readonly [K in keyof T]: T[K] } {
	return [...vector] as { -readonly [K in keyof T]: T[K] };
}
