/**
 * Values with several forms, such as conditions, actions, targets and zones. A person picks a form, then fills it in.
 * Owns: the forms of a schema, finding the form of a value, and initial values. Never: lists forms by name.
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
	/** The whole value, if the form is a single word. */
	readonly word?: string;
	/** Key and word that identify the form in a value. If it is missing, the fields identify it. */
	readonly tag?: readonly [key: string, word: string];
	readonly fields: readonly VariantField[];
}

export type VariantControl =
	| { readonly kind: 'variants'; readonly variants: readonly FormVariant[] }
	/** Reference to a definition that contains itself. */
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

/** Returns the tag of a form: the key whose schema is a constant word. */
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
 * Returns the control of a value. If a value has several object forms, its short text form is skipped, except for filters.
 */
export function variantControl(schema: Schema): VariantControl {
	const parts = alternatives(schema);
	const recursion = parts.map(recursionOf).find((name) => name !== null);
	if (parts.some(({ format }) => format === 'filter')) return { kind: 'plain', control: controlOf(schema) };
	if (recursion !== undefined) return { kind: 'again', of: recursion };
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
	const objectCount = parts.filter(({ properties }) => isRecord(properties)).length;
	if (objectCount > 1) return { kind: 'variants', variants };
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
			keys.every((present) => fields.some(({ key }) => key === present)),
	);
}

/** Returns the initial value of a form. Fields of `before` with the same name and kind are kept. */
export function initialForm(variant: FormVariant, before: unknown = undefined): unknown {
	if (variant.word !== undefined) return variant.word;
	const oldFields = isRecord(before) ? before : {};
	const fields = variant.fields
		.filter(({ required }) => required)
		.map(
			({ key, of, initial }) =>
				[key, fitsField(of, oldFields[key]) ? oldFields[key] : (initial ?? initialValue(of))] as const,
		);
	return Object.fromEntries([...(variant.tag === undefined ? [] : [variant.tag]), ...fields]);
}

function fitsField(of: VariantControl, value: unknown): boolean {
	if (value === undefined) return false;
	if (of.kind === 'variants') return variantOf(of.variants, value) !== undefined;
	if (of.kind === 'several') return Array.isArray(value);
	return of.kind === 'plain' && typeof value === typeof initialValue(of);
}

/** Returns the initial value of a field. */
export function initialValue(of: VariantControl): unknown {
	switch (of.kind) {
		case 'variants':
			return initialForm(of.variants[0]!);
		case 'several':
			return Array.from({ length: of.least }, () => initialValue(of.of));
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
