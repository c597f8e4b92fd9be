/**
 * Readable form of schemas: type, unit, default, range, meaning, and inner fields.
 * Owns: the reading of JSON Schema. Never: draws.
 */

import type { JsonSchema, Schemas } from './document.ts';

/** A field as the reference shows it. */
export interface DocField {
	readonly name: string;
	readonly required: boolean;
	readonly type: string;
	readonly unit: string;
	/** Default as JSON; empty if there is none. */
	readonly initial: string;
	/** Permitted values, such as `0 to 10`; empty if there is no limit. */
	readonly range: string;
	readonly meaning: string;
	readonly schema: JsonSchema;
}

/** Fields that go together: those of a record, or of one form among several. */
export interface FieldGroup {
	/** Title that distinguishes this form from the others; empty if there is one form. */
	readonly label: string;
	readonly fields: readonly DocField[];
}

const isSchema = (value: unknown): value is JsonSchema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly JsonSchema[] =>
	Array.isArray(value) ? value.filter(isSchema) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a schema with its reference resolved, one level deep. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
	const { $ref, allOf, ...rest } = schema;
	if (typeof $ref === 'string') {
		const referenced = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
		return referenced === undefined ? rest : { ...resolveSchema(referenced, schemas), ...rest };
	}
	const parts = listOf(allOf);
	const [onlyPart] = parts;
	return parts.length === 1 && onlyPart !== undefined && !('properties' in rest)
		? { ...resolveSchema(onlyPart, schemas), ...rest }
		: schema;
}

/** Returns the forms that a value may have, without null. */
function formsOf(schema: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
	const whole = resolveSchema(schema, schemas);
	const alternatives = listOf(whole.anyOf ?? whole.oneOf);
	if (alternatives.length > 0) return alternatives.flatMap((jsonSchema) => formsOf(jsonSchema, schemas));
	if (Array.isArray(whole.type)) return whole.type.flatMap((type) => formsOf({ ...whole, type }, schemas));
	return whole.type === 'null' || whole.const === null ? [] : [whole];
}

function allowsNull(schema: JsonSchema, schemas: Schemas): boolean {
	const whole = resolveSchema(schema, schemas);
	if (whole.type === 'null' || whole.const === null) return true;
	if (Array.isArray(whole.type)) return whole.type.includes('null');
	return listOf(whole.anyOf ?? whole.oneOf).some((jsonSchema) => allowsNull(jsonSchema, schemas));
}

const TYPE_NAMES: Readonly<Record<string, string>> = { array: 'list', object: 'record', string: 'text' };

function typeOfForm(form: JsonSchema, schemas: Schemas): string {
	if (Array.isArray(form.enum)) return 'word';
	if ('const' in form) return JSON.stringify(form.const);
	if (form.type === 'array') return typeOfList(form, schemas);
	if (form.type === 'object' || isSchema(form.properties)) {
		if (isSchema(form.properties) || !isSchema(form.additionalProperties)) return 'record';
		return `map of ${typeOf(form.additionalProperties, schemas)}`;
	}
	return TYPE_NAMES[textOf(form.type)] ?? (textOf(form.type) || 'any JSON');
}

function typeOfList(form: JsonSchema, schemas: Schemas): string {
	if (!isSchema(form.items)) return 'list';
	const itemType = typeOf(form.items, schemas);
	const isFixed = typeof form.maxItems === 'number' && form.minItems === form.maxItems;
	const plural = /^[a-z]+$/.test(itemType)
		? `${itemType}s`
		: itemType.includes(' or ')
			? `(${itemType})`
			: itemType;
	return isFixed ? `${form.maxItems} ${plural}` : `list of ${plural}`;
}

/** Maximum number of types that are listed. */
const MAX_TYPES = 3;

/** Returns a type in a few words, such as `number or null`. */
export function typeOf(schema: JsonSchema, schemas: Schemas): string {
	const types = [...new Set(formsOf(schema, schemas).map((form) => typeOfForm(form, schemas)))];
	const constants = types.every((type) => /^["\d]/.test(type));
	const listedTypes =
		types.length > MAX_TYPES && constants
			? ['word']
			: types.length > MAX_TYPES
				? [...types.slice(0, MAX_TYPES), 'other forms']
				: types;
	return [...listedTypes, ...(allowsNull(schema, schemas) ? ['null'] : [])].join(' or ') || 'any JSON';
}

/** Returns a number as text. Long numbers, such as the limits of 32-bit types, are rounded. */
const shortNumber = (value: unknown): string => {
	const text = String(value);
	return typeof value === 'number' && text.length > 10
		? value.toPrecision(3).replace(/\.?0*e\+?/, 'e')
		: text;
};

function rangeOfForm(form: JsonSchema, schemas: Schemas): string {
	if (Array.isArray(form.enum)) return form.enum.map(String).join(', ');
	if (form.type === 'array') {
		const { minItems, maxItems } = form;
		const isFixed = typeof maxItems === 'number' && minItems === maxItems;
		const own = isFixed ? '' : limitsText(minItems, maxItems, ' items');
		const inner = isSchema(form.items) ? rangeOf(form.items, schemas) : '';
		return [own, inner && (isFixed ? inner : `each: ${inner}`)].filter((part) => part !== '').join('; ');
	}
	if (form.type === 'string') return limitsText(form.minLength, form.maxLength, ' characters');
	if ('exclusiveMinimum' in form) return `more than ${shortNumber(form.exclusiveMinimum)}`;
	return limitsText(form.minimum, form.maximum, '');
}

function limitsText(min: unknown, max: unknown, unit: string): string {
	if (typeof min === 'number' && typeof max === 'number')
		return `${shortNumber(min)} to ${shortNumber(max)}${unit}`;
	if (typeof min === 'number') return `at least ${shortNumber(min)}${unit}`;
	return typeof max === 'number' ? `at most ${shortNumber(max)}${unit}` : '';
}

function rangeOf(schema: JsonSchema, schemas: Schemas): string {
	const forms = formsOf(schema, schemas);
	const constants = forms.filter((form) => 'const' in form && form.const !== true);
	if (constants.length > MAX_TYPES) return constants.map((form) => String(form.const)).join(', ');
	return [...new Set(forms.map((form) => rangeOfForm(form, schemas)).filter((range) => range !== ''))].join(
		'; or ',
	);
}

/** Returns the description of a value as a field. */
export function fieldOf(name: string, schema: JsonSchema, required: boolean, schemas: Schemas): DocField {
	const whole = resolveSchema(schema, schemas);
	const forms = formsOf(schema, schemas).map((form) => form);
	const findText = (key: string): string =>
		textOf(whole[key]) || forms.map((form) => textOf(form[key])).find((text) => text !== '') || '';
	const unit = findText('unit');
	const meaning = findText('description');
	const initial = 'default' in whole ? whole.default : undefined;
	return {
		name,
		required: required && initial === undefined,
		type: typeOf(schema, schemas),
		unit,
		initial: initial === undefined ? '' : JSON.stringify(initial),
		range: rangeOf(schema, schemas),
		// The unit is shown separately.
		meaning: unit !== '' && meaning.endsWith(` (${unit})`) ? meaning.slice(0, -unit.length - 3) : meaning,
		schema,
	};
}

/**
 * Returns the fields within a value: of a record, of the items of a list, or of each of its forms; an empty list if there are none.
 */
export function groupsOf(schema: JsonSchema, schemas: Schemas): readonly FieldGroup[] {
	const forms = formsOf(schema, schemas).flatMap((form) => recordsIn(form, schemas));
	return forms.map((form) => ({
		label: forms.length > 1 ? labelOf(form, schemas) : '',
		fields: fieldsIn(form, schemas),
	}));
}

function recordsIn(form: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
	if (isSchema(form.properties)) return Object.keys(form.properties).length > 0 ? [form] : [];
	const inner = form.type === 'array' ? form.items : form.additionalProperties;
	if (!isSchema(inner)) return [];
	return formsOf(inner, schemas).flatMap((form) => recordsIn(form, schemas));
}

function fieldsIn(form: JsonSchema, schemas: Schemas): readonly DocField[] {
	const required = Array.isArray(form.required) ? form.required : [];
	return Object.entries(form.properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) =>
		fieldOf(name, schema, required.includes(name), schemas),
	);
}

/** Returns a label of a form: its constant, such as `kind: tick`, or else the names of its first fields. */
function labelOf(form: JsonSchema, schemas: Schemas): string {
	const properties = Object.entries(form.properties as Readonly<Record<string, JsonSchema>>);
	for (const [name, schema] of properties) {
		const { const: word, enum: words } = resolveSchema(schema, schemas);
		if (typeof word === 'string') return `${name}: ${word}`;
		if (Array.isArray(words) && words.length === 1) return `${name}: ${words[0]}`;
	}
	const names = properties.map(([name]) => name);
	return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');
}

/** Maximum depth of the search for fields. */
const MAX_DEPTH = 4;

/** Returns the names of all fields within a schema. */
export function fieldNames(schema: JsonSchema, schemas: Schemas): ReadonlySet<string> {
	const names = new Set<string>();
	const visited = new Set<JsonSchema>();
	const visit = (jsonSchema: JsonSchema, depth: number): void => {
		for (const form of formsOf(jsonSchema, schemas).flatMap((each) => recordsIn(each, schemas))) {
			const properties = form.properties as Readonly<Record<string, JsonSchema>>;
			if (visited.has(properties as JsonSchema)) continue;
			visited.add(properties as JsonSchema);
			for (const [name, inner] of Object.entries(properties)) {
				names.add(name);
				if (depth < MAX_DEPTH) visit(inner, depth + 1);
			}
		}
	};
	visit(schema, 0);
	return names;
}

/** Returns the alternative forms of a schema, for readers of marks. */
export function alternativesOf(schema: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
	const whole = resolveSchema(schema, schemas);
	return listOf(whole.anyOf ?? whole.oneOf);
}
