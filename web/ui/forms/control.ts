/**
 * The control for a declared value, derived from its JSON Schema in GET /schema.
 * Owns: the kinds of control, and the choice for a schema. Never: lists fields by name; draws; asks the engine.
 */

export type Schema = { readonly [key: string]: unknown };

export type Control =
	| {
			readonly kind: 'number';
			readonly whole: boolean;
			readonly min: number | undefined;
			readonly max: number | undefined;
			readonly unit: string | undefined;
			/** Kind of the object whose id the number is, such as `entity`. */
			readonly names: string | undefined;
	  }
	| { readonly kind: 'flag' }
	| { readonly kind: 'word'; readonly words: readonly string[] }
	/** Vector of numbers, each with its letter or word. */
	| {
			readonly kind: 'numbers';
			readonly parts: readonly string[];
			readonly min: number | undefined;
			readonly max: number | undefined;
			readonly unit: string | undefined;
	  }
	/** Red, green, blue and perhaps alpha, as numbers. */
	| { readonly kind: 'colour'; readonly parts: 3 | 4; readonly linear: boolean }
	/** A colour as a name, or as `r,g,b`. */
	| { readonly kind: 'colour-text' }
	| {
			readonly kind: 'text';
			readonly maxLength: number | undefined;
			/** Examples of accepted values. */
			readonly examples: readonly string[];
			/**
			 * Kind of the object that the text names: `texture`, `sound`, `model`, `clip`, or `material`.
			 */
			readonly names: string | undefined;
			/** True if digits are sent as a number. */
			readonly orNumber: boolean;
	  }
	| { readonly kind: 'record'; readonly fields: readonly FormField[] }
	| { readonly kind: 'list'; readonly of: Control; readonly minItems: number; readonly maxItems: number }
	/** Any other value, edited as JSON. */
	| { readonly kind: 'json' };

export interface FormField {
	readonly key: string;
	readonly control: Control;
	/** Description in the schema. */
	readonly says: string;
	readonly required: boolean;
	/** Default value; undefined if the declaration has none. */
	readonly initial: unknown;
}

const isSchema = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const schemasOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** Returns the alternatives of a schema except null. The keywords beside `anyOf` are copied to each. */
export function alternatives(schema: Schema): readonly Schema[] {
	const { anyOf, oneOf, ...rest } = schema;
	if (Array.isArray(rest.type)) return rest.type.flatMap((type) => alternatives({ ...rest, type }));
	const variants = schemasOf(anyOf ?? oneOf);
	if (variants.length === 0) return rest.type === 'null' ? [] : [schema];
	return variants.flatMap((schema) => alternatives({ ...schema, ...rest }));
}

/** Returns true if null is one of the values. */
export function allowsNull(schema: Schema): boolean {
	if (Array.isArray(schema.type)) return schema.type.includes('null');
	return schema.type === 'null' || schemasOf(schema.anyOf ?? schema.oneOf).some(allowsNull);
}

/** Reads the names of the numbers from `[x, y, z]` in a description; otherwise numbers them. */
function namedParts(description: string, size: number): readonly string[] {
	const named = /\[([a-z]+(?:, [a-z]+)+)\]/.exec(description)?.[1]?.split(', ');
	if (named?.length === size) return named;
	return Array.from({ length: size }, (_, index) => String(index + 1));
}

function tupleControl(schema: Schema, parts: readonly Schema[]): Control {
	const description = textOf(schema.description) ?? '';
	if (!parts.every(({ type }) => type === 'number' || type === 'integer')) return { kind: 'json' };
	const named = namedParts(description, parts.length);
	if (/^r,g,b(,a)?$/.test(named.join()))
		return {
			kind: 'colour',
			parts: parts.length as 3 | 4,
			linear: /\blinear\b/.test(description),
		};
	return {
		kind: 'numbers',
		parts: named,
		min: numberOf(parts[0]?.minimum),
		max: numberOf(parts[0]?.maximum),
		unit: textOf(schema.unit),
	};
}

function simpleControl(schema: Schema): Control {
	const { type } = schema;
	if (Array.isArray(schema.enum)) return { kind: 'word', words: schema.enum.map(String) };
	if (type === 'boolean' || schema.const === true) return { kind: 'flag' };
	if (type === 'number' || type === 'integer')
		return {
			kind: 'number',
			whole: type === 'integer',
			min: numberOf(schema.minimum),
			max: numberOf(schema.maximum),
			unit: textOf(schema.unit),
			names: textOf(schema.names),
		};
	if (type === 'string') {
		if (schema.format === 'color') return { kind: 'colour-text' };
		return {
			kind: 'text',
			maxLength: numberOf(schema.maxLength),
			examples: Array.isArray(schema.examples) ? schema.examples.map(String) : [],
			names: textOf(schema.asset) ?? textOf(schema.names) ?? textOf(schema.format),
			orNumber: false,
		};
	}
	if (type === 'array') {
		if (Array.isArray(schema.prefixItems)) return tupleControl(schema, schemasOf(schema.prefixItems));
		if (!isSchema(schema.items)) return { kind: 'json' };
		// The description of the list also names the numbers of its items: "Places [x, z]".
		const item: Schema = { description: schema.description, unit: schema.unit, ...schema.items };
		return {
			kind: 'list',
			of: controlOf(item),
			minItems: numberOf(schema.minItems) ?? 0,
			maxItems: numberOf(schema.maxItems) ?? Number.POSITIVE_INFINITY,
		};
	}
	if (isSchema(schema.properties)) return { kind: 'record', fields: fieldsOf(schema) };
	return { kind: 'json' };
}

/** Kinds of control in the order of preference, if a value has several forms. */
const PREFERENCE: readonly Control['kind'][] = [
	'record',
	'colour',
	'numbers',
	'text',
	'number',
	'colour-text',
];

/** Returns the control for a value. If the value has several forms, the most expressive control is chosen. */
export function controlOf(schema: Schema): Control {
	const controls = alternatives(schema).map(simpleControl);
	const [first = { kind: 'json' }] = controls;
	if (controls.length < 2) return first;
	const text = controls.find((control) => control.kind === 'text');
	if (text && controls.some(({ kind }) => kind === 'number')) return { ...text, orNumber: true };
	for (const kind of PREFERENCE) {
		const found = controls.find((control) => control.kind === kind);
		if (found) return found;
	}
	return { kind: 'json' };
}

function initialOf(schema: Schema): unknown {
	return 'default' in schema ? schema.default : undefined;
}

export function saysOf(schema: Schema): string {
	return (
		textOf(schema.description) ??
		alternatives(schema)
			.map(({ description }) => textOf(description))
			.find((description) => description !== undefined) ??
		''
	);
}

/** Returns the fields of a record, in the order in which they are declared. */
export function fieldsOf(schema: Schema): readonly FormField[] {
	const properties = isSchema(schema.properties) ? schema.properties : {};
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(properties).map(([key, property]) => {
		const declared = isSchema(property) ? property : {};
		return {
			key,
			control: controlOf(declared),
			says: saysOf(declared),
			required: required.includes(key) && !('default' in declared),
			initial: initialOf(declared),
		};
	});
}

/** Returns a key as people read it: `max distance` for `max_distance`. */
export const labelOf = (key: string): string => key.replaceAll('_', ' ');

/** Returns the initial value of a new list item or record. */
export function firstValue(control: Control): unknown {
	switch (control.kind) {
		case 'number':
			return Math.min(control.max ?? 0, Math.max(control.min ?? 0, 0));
		case 'flag':
			return false;
		case 'word':
			return control.words[0];
		case 'numbers':
			return control.parts.map(() => Math.min(control.max ?? 0, Math.max(control.min ?? 0, 0)));
		case 'colour':
			return Array.from({ length: control.parts }, () => 1);
		case 'colour-text':
			return 'white';
		case 'text':
			return '';
		case 'list':
			return Array.from({ length: control.minItems }, () => firstValue(control.of));
		case 'record':
			return Object.fromEntries(
				control.fields
					.filter(({ required, initial }) => required || initial !== undefined)
					.map(({ key, control: own, initial }) => [key, initial ?? firstValue(own)]),
			);
		case 'json':
			return null;
	}
}

/** Returns true if a control can show a value and send it back. */
export function fits(control: Control, value: unknown): boolean {
	switch (control.kind) {
		case 'number':
			return typeof value === 'number';
		case 'flag':
			return typeof value === 'boolean' || value === 0 || value === 1;
		case 'word':
			return (
				typeof value === 'string' && control.words.some((word) => word.toLowerCase() === value.toLowerCase())
			);
		case 'numbers':
			return Array.isArray(value) && value.length === control.parts.length && value.every(Number.isFinite);
		case 'colour':
			return Array.isArray(value) && value.length === control.parts && value.every(Number.isFinite);
		case 'colour-text':
			return typeof value === 'string';
		case 'text':
			return typeof value === 'string' || (control.orNumber && typeof value === 'number');
		case 'list':
			return Array.isArray(value) && value.every((item) => fits(control.of, item));
		case 'record':
			return (
				isSchema(value) &&
				control.fields.every(({ key, control: own, required }) =>
					value[key] == null ? !required : fits(own, value[key]),
				)
			);
		case 'json':
			return false;
	}
}
