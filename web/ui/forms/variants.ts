/**
 * Values that have one of several forms, such as conditions, actions, targets and zones: a person picks a form, then fills it in.
 * Owns: the forms that a schema declares, which one a value has, and what a new one begins with. Never: a list of forms.
 */

import { recursionOf } from '../../../shared/contract/schema-references.ts';
import {
	alternatives,
	type Control,
	controlOf,
	firstValue,
	labelOf,
	type Schema,
	saysOf,
} from './control.ts';

export interface FormVariant {
	/** Text of the choice. */
	readonly label: string;
	readonly says: string;
	/** The value itself, for a form that is a word alone. */
	readonly word?: string;
	/** The key and the word that mark the form in a value; without it, its fields do. */
	readonly tag?: readonly [key: string, word: string];
	readonly fields: readonly VariantField[];
}

export type VariantControl =
	| { readonly kind: 'variants'; readonly variants: readonly FormVariant[] }
	/** A definition that contains itself. */
	| { readonly kind: 'again'; readonly of: string }
	| {
			readonly kind: 'several';
			readonly of: VariantControl;
			readonly least: number;
			readonly most: number;
	  }
	| { readonly kind: 'plain'; readonly control: Control };

export interface VariantField {
	readonly key: string;
	readonly of: VariantControl;
	readonly says: string;
	readonly required: boolean;
	readonly initial: unknown;
}

type Value = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Value =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the word under a key of a tagged object. */
function tagIn(properties: Schema): readonly [string, string] | undefined {
	for (const [key, property] of Object.entries(properties))
		if (isRecord(property) && typeof property.const === 'string') return [key, property.const];
	return undefined;
}

function variantsIn(schema: Schema): readonly FormVariant[] {
	if (Array.isArray(schema.enum))
		return schema.enum
			.map(String)
			.map((word) => ({ label: labelOf(word), says: saysOf(schema), word, fields: [] }));
	const { properties } = schema;
	if (!isRecord(properties)) return [];
	const tag = tagIn(properties);
	const required = Array.isArray(schema.required) ? schema.required : [];
	const fields = Object.entries(properties).flatMap(([key, property]): VariantField[] => {
		if (key === tag?.[0] || !isRecord(property)) return [];
		return [
			{
				key,
				of: variantControl(property),
				says: saysOf(property),
				required: required.includes(key) && !('default' in property),
				initial: property.default,
			},
		];
	});
	const named = fields.filter((field) => field.required).map(({ key }) => labelOf(key));
	const label = labelOf(tag?.[1] ?? named.join(' and '));
	return [{ label, says: saysOf(schema), ...(tag === undefined ? {} : { tag }), fields }];
}

/**
 * Returns the control of a value; a short text that means the same as several forms is left out, except for filters.
 */
export function variantControl(schema: Schema): VariantControl {
	const parts = alternatives(schema);
	const again = parts.map(recursionOf).find((name) => name !== null);
	if (parts.some(({ format }) => format === 'filter')) return { kind: 'plain', control: controlOf(schema) };
	if (again !== undefined) return { kind: 'again', of: again };
	const [only] = parts;
	if (parts.length === 1 && only!.type === 'array' && isRecord(only!.items)) {
		const of = variantControl(only!.items);
		if (of.kind !== 'plain')
			return {
				kind: 'several',
				of,
				least: typeof only!.minItems === 'number' ? only!.minItems : 0,
				most: typeof only!.maxItems === 'number' ? only!.maxItems : Number.POSITIVE_INFINITY,
			};
	}
	const variants = parts.flatMap(variantsIn);
	const isObject = parts.filter(({ properties }) => isRecord(properties)).length;
	if (isObject > 1) return { kind: 'variants', variants };
	const control = controlOf(schema);
	const isEntity = control.kind === 'number' && parts.some(({ entity }) => entity === 'id');
	return { kind: 'plain', control: isEntity ? { ...control, names: control.names ?? 'entity' } : control };
}

/** Returns the form of a value; undefined if it has none of them. */
export function variantOf(variants: readonly FormVariant[], value: unknown): FormVariant | undefined {
	if (typeof value === 'string') return variants.find(({ word }) => word === value.toLowerCase());
	if (!isRecord(value)) return undefined;
	const tagged = variants.find(({ tag }) => tag !== undefined && value[tag[0]] === tag[1]);
	if (tagged !== undefined) return tagged;
	const keys = Object.keys(value);
	return variants.find(
		({ word, tag, fields }) =>
			word === undefined &&
			tag === undefined &&
			fields.every(({ key, required }) => !required || key in value) &&
			keys.every((one) => fields.some(({ key }) => key === one)),
	);
}

/** Returns the value that a form begins with; fields of the same name and kind are kept from `before`. */
export function firstOf(variant: FormVariant, before: unknown = undefined): unknown {
	if (variant.word !== undefined) return variant.word;
	const kept = isRecord(before) ? before : {};
	const fields = variant.fields
		.filter(({ required }) => required)
		.map(
			({ key, of, initial }) => [key, isKept(of, kept[key]) ? kept[key] : (initial ?? firstIn(of))] as const,
		);
	return Object.fromEntries([...(variant.tag === undefined ? [] : [variant.tag]), ...fields]);
}

function isKept(of: VariantControl, value: unknown): boolean {
	if (value === undefined) return false;
	if (of.kind === 'variants') return variantOf(of.variants, value) !== undefined;
	if (of.kind === 'several') return Array.isArray(value);
	return of.kind === 'plain' && typeof value === typeof firstIn(of);
}

/** Returns the value that a new field begins with. */
export function firstIn(of: VariantControl): unknown {
	switch (of.kind) {
		case 'variants':
			return firstOf(of.variants[0]!);
		case 'several':
			return Array.from({ length: of.least }, () => firstIn(of.of));
		case 'again':
			return null;
		case 'plain': {
			const { control } = of;
			if (control.kind === 'text' && control.examples.length > 0) return control.examples[0];
			if (control.kind === 'number') return Math.max(control.min ?? 1, 1);
			return firstValue(control);
		}
	}
}
