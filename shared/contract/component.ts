/**
 * Declaration of a component: its fields, scope and read-out.
 * Owns: the kinds of fields, and the types derived from a declaration.
 * Storage, cloning, digest, read-out, saving and schema are all derived from the declaration.
 */

import * as z from 'zod';
import { handle } from './handle.ts';

/**
 * `state`: forked, in the digest, and saved. `view`: forked and saved, but not in the digest.
 * `derived`: rebuilt from other components, and neither in the digest nor saved.
 */
export type ComponentScope = 'state' | 'view' | 'derived';

interface FieldDoc {
	/** Meaning of the field. */
	readonly doc: string;
	readonly unit?: string;
}

/** Field of `size` numbers per entity, each of 32 bits or fewer. */
export interface NumberField<N extends number = number> extends FieldDoc {
	readonly kind: 'f32' | 'u32' | 'i32' | 'u8';
	readonly size: N;
	readonly initial: readonly number[];
	/** Range to which rules clamp each number, if it is narrower than that of the kind. */
	readonly range?: readonly [min: number, max: number];
	/** True if only the engine uses it: no answer shows it, and rules cannot name it. */
	readonly hidden?: true;
	/**
	 * Number of used values, by the word in another field. The values after them have no meaning.
	 */
	readonly lengthBy?: { readonly field: string; readonly lengths: Readonly<Record<string, number>> };
}

/** Field with one of a list of words, stored as its index. */
export interface WordField<W extends string = string> extends FieldDoc {
	readonly kind: 'word';
	readonly words: readonly W[];
}

/** Field with a handle to another entity, or none. */
export interface EntityField extends FieldDoc {
	readonly kind: 'entity';
}

/** Field with any JSON value that the schema allows. The value is replaced as a whole and never changed in place. */
export interface JsonField<T = unknown> extends FieldDoc {
	readonly kind: 'json';
	readonly schema: z.ZodType<T>;
	readonly initial: T;
	/** Field of a spawn document with the same content. Values that the document refuses are refused here too. */
	readonly documentField?: string;
	/**
	 * True if nearly all entities have the initial value, which is null. While all have it, the field is neither in the
	 * digest nor saved.
	 */
	readonly sparse?: true;
	/** Returns the large objects in a value with their bytes. Worlds with the same object share its memory. */
	weigh?(value: T): Iterable<readonly [thing: object, bytes: number]>;
}

export type Field = NumberField | WordField | EntityField | JsonField;

/** Handle of an entity in values. */
export interface EntityHandle {
	readonly id: number;
	readonly generation: number;
}

/** Value of a field: a number, a tuple, a word, a handle or null, or JSON. */
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

/** Values of all fields of a component for one entity. */
export type Row<F extends Fields> = { readonly [K in keyof F]: FieldValue<F[K]> };

/** Schemas of the fields of a spawn document. Each field may be omitted or null. */
export type SpawnShape = Readonly<Record<string, z.ZodType>>;

/** Values of these fields in a document. */
export type Described<S extends SpawnShape> = { readonly [K in keyof S]?: z.output<S[K]> | undefined };

/** Returns an entity's row of a component, or undefined. */
export type RowOf = <F extends Fields>(component: Component<F>) => Row<F> | undefined;

/** Component that is added with another one, if the entity lacks it, and its values. */
export type Companion = readonly [component: Component, values: Readonly<Record<string, unknown>>];

/** Functions that convert a component from a spawn document, and back. */
export interface SpawnSide<F extends Fields, S extends SpawnShape> {
	/** Fields of a document for this component. The first one adds the component to an entity. */
	readonly fields: S;
	/** Document fields of other components that `row` also reads. */
	readonly otherFields?: readonly string[];
	/**
	 * Returns the values in a document, or null if the document does not add the component. Adds a warning for fields
	 * without an effect.
	 */
	row(document: Described<S> & Readonly<Record<string, unknown>>, warnings: string[]): Partial<Row<F>> | null;
	/**
	 * Returns the part of a document from which `row` reads these values. 32-bit numbers have their shortest form.
	 */
	describe(row: Row<F> | undefined, rowOf: RowOf): Described<S> & Readonly<Record<string, unknown>>;
	/** Returns the components that are added with these values. */
	brings?(row: Partial<Row<F>>): readonly Companion[];
}

interface ComponentDeclaration<F extends Fields, S extends SpawnShape> {
	/** Name in snake_case. It is also the key in the read-out, unless `readout` has another key. */
	readonly name: string;
	/** Name in PascalCase, for GET /schema. */
	readonly title: string;
	readonly scope: ComponentScope;
	readonly summary: string;
	readonly fields: F;
	/** Form in an entity's read-out. The default is a record of its fields; null hides the component. */
	readonly readout?: {
		readonly key?: string;
		readonly schema: z.ZodType;
		/** Returns the shown value of one entity's row. Without it: a record of its fields. */
		from?(row: Row<F>): unknown;
		/** Second key for values that the first key does not show. */
		readonly second?: { readonly key: string; readonly schema: z.ZodType; from(row: Row<F>): unknown };
	} | null;
	/** Form in spawn documents. Without it, only lists of exact values contain the component. */
	readonly spawn?: SpawnSide<F, S>;
	/** False if callers cannot remove it, because entities need it or the engine maintains it. */
	readonly removable?: boolean;
	/** True if single values have no meaning. Exact values must then be set together, and be valid as a spawn document. */
	readonly whole?: boolean;
	/** False if documents have their own section for it. */
	readonly inEntries?: boolean;
}

export interface Component<F extends Fields = Fields, S extends SpawnShape = SpawnShape>
	extends ComponentDeclaration<F, S> {
	/** Index in the list of components, which sets it; -1 outside the list. */
	index: number;
}

/** Declares a component. All have the same properties in the same order, because reading `index` must be fast. */
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
	const declared = {
		index: -1,
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
	};
	return declared as Component<F, S>;
}

/** Returns a scalar number field. */
export function scalar(
	kind: NumberField['kind'],
	doc: string,
	{ initial = 0, ...options }: { initial?: number } & Pick<NumberField, 'unit' | 'range' | 'hidden'> = {},
): NumberField<1> {
	return { kind, size: 1, doc, ...options, initial: [initial] };
}

/** Returns a number field that is 1 for yes and 0 for no. */
export function yesNo(doc: string, initial: 0 | 1 = 0): NumberField<1> {
	return scalar('u8', doc, { initial, range: [0, 1] });
}

/** Returns a field of three 32-bit numbers x, y, z. */
export function vector3(doc: string, unit: string, initial: readonly number[] = [0, 0, 0]): NumberField<3> {
	return { kind: 'f32', size: 3, doc, unit, initial };
}

/** Returns a field with a unit quaternion x, y, z, w. */
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
	options: Pick<JsonField<T>, 'documentField' | 'sparse' | 'weigh'> = {},
): JsonField<T> {
	return { kind: 'json', schema, initial, doc, ...options };
}

/** Returns the schema of a field's value, for documentation and read-outs. */
export function fieldSchema(field: Field): z.ZodType {
	const doc = field.unit === undefined ? field.doc : `${field.doc} (${field.unit})`;
	switch (field.kind) {
		case 'f32':
		case 'u32':
		case 'i32':
		case 'u8': {
			const number = field.kind === 'f32' ? z.number() : z.int();
			if (field.size === 1) return number.describe(doc);
			const parts = Array.from({ length: field.size }, () => number) as [z.ZodNumber, ...z.ZodNumber[]];
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

/** Returns the schema of a component in a read-out. */
export function readoutSchema(component: Component): z.ZodType {
	if (component.readout) return component.readout.schema.describe(component.summary);
	return z
		.strictObject(
			Object.fromEntries(Object.entries(component.fields).map(([name, field]) => [name, fieldSchema(field)])),
		)
		.describe(component.summary);
}

/** Returns the key of a component in a read-out, or null if read-outs do not show it. */
export function readoutKey(component: Component): string | null {
	if (component.readout === null) return null;
	return component.readout?.key ?? component.name;
}

/** Returns the spawn side of a component with one value. The document field `key` has the value of the column. */
export function singleValueSpawn<K extends string, C extends string, T extends z.ZodType>(
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

/** Returns a copy of a vector as a mutable list, for a document. */
export function listOf<T extends readonly number[]>(vector: T): { -readonly [K in keyof T]: T[K] } {
	return [...vector] as { -readonly [K in keyof T]: T[K] };
}
