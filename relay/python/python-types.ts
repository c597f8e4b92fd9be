/**
 * Writes JSON Schemas as Python types: records are TypedDicts, and words are Literals.
 * Owns: the names of these types, and the text of their module. Equal shapes share one type.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { commentText } from './python-text.ts';

/** Maximum number of words in a type without a name. */
const MAX_INLINE_WORDS = 8;

/** Keywords of Python, which cannot be the name of a field or parameter. */
const RESERVED = new Set(
	(
		'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
		'import in is lambda nonlocal not or pass raise return try while with yield'
	).split(' '),
);

/** Returns a valid Python name: `from` becomes `from_`, and `heightMany` becomes `height_many`. */
export function pythonName(name: string): string {
	const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return RESERVED.has(snake) ? `${snake}_` : snake;
}

/** Returns the name of a class, such as `SimulationStep` for `simulation.step`, or `GameState` for `game_state`. */
export function className(...parts: readonly string[]): string {
	return parts
		.flatMap((part) => part.split(/[^A-Za-z0-9]+/))
		.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
		.join('');
}

/** Returns a JSON value (a text, a number, a boolean or null) as Python. */
export function literal(value: unknown): string {
	if (value === null) return 'None';
	if (typeof value === 'boolean') return value ? 'True' : 'False';
	return JSON.stringify(value);
}

export class PythonTypes {
	/** Texts of definitions by the name of the type. */
	readonly #texts = new Map<string, string>();
	/** Names of types by their shape: the text of the definition without the name. */
	readonly #shapes = new Map<string, string>();
	readonly #definitions: Readonly<Record<string, JsonSchema>>;
	readonly #definedNames = new Set<string>();

	/** `definitions`: schemas that others refer to. More may be added while types are written. */
	constructor(definitions: Readonly<Record<string, JsonSchema>>) {
		this.#definitions = definitions;
	}

	/** Returns the type of a value. `name`: name for a record in it, unless an equal record has a name already. */
	typeOf(schema: JsonSchema, name: string): string {
		if (schema.$ref !== undefined) return this.#reference(String(schema.$ref).split('/').at(-1)!);
		if (schema.const !== undefined)
			return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
		if (Array.isArray(schema.enum)) return this.#words(schema.enum, name);
		const options = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
		if (options !== undefined && schema.properties === undefined && !options.every(isOnlyRestriction))
			return this.#union(options, name);
		if (Array.isArray(schema.type))
			return this.#union(
				schema.type.map((type: unknown) => ({ ...schema, type })),
				name,
			);
		switch (schema.type) {
			case 'string':
				return 'str';
			case 'integer':
				return 'int';
			case 'number':
				return 'float';
			case 'boolean':
				return 'bool';
			case 'null':
				return 'None';
			case 'array':
				return `list[${this.#items(schema, name)}]`;
			case 'object':
				return this.#object(schema, name);
			default:
				return schema.properties === undefined ? 'Any' : this.#object(schema, name);
		}
	}

	/** Returns the whole module. */
	moduleText(header: string): string {
		return [
			header,
			'',
			'from __future__ import annotations',
			'',
			'from typing import TYPE_CHECKING, Any, Literal, TypedDict',
			'',
			'if TYPE_CHECKING:',
			'    from typing_extensions import NotRequired, TypeAlias',
			'',
			...[...this.#texts.values()].flatMap((text) => ['', text]),
			'',
		].join('\n');
	}

	/** Every name that the module defines. */
	get names(): readonly string[] {
		return [...this.#texts.keys()];
	}

	#reference(name: string): string {
		if (this.#definedNames.has(name)) return name;
		this.#definedNames.add(name);
		const schema = this.#definitions[name]!;
		// The name is reserved before the members are written, because a type may contain itself.
		this.#texts.set(name, '');
		this.#texts.set(
			name,
			schema.properties !== undefined
				? this.#recordText(name, schema)
				: `${name}: TypeAlias = ${JSON.stringify(this.typeOf(schema, `${name}Value`))}`,
		);
		return name;
	}

	#words(words: readonly unknown[], name: string): string {
		// A boolean in a query has several words.
		if (words.includes('true') && words.includes('false')) return 'bool';
		const type = `Literal[${words.map(literal).join(', ')}]`;
		if (words.length <= MAX_INLINE_WORDS) return type;
		return this.#nameOfShape(type, name, (typeName) => `${typeName}: TypeAlias = ${JSON.stringify(type)}`);
	}

	#union(options: readonly JsonSchema[], name: string): string {
		const types = new Set(options.map((option, i) => this.typeOf(option, optionName(option, name, i))));
		if (types.has('Any')) return 'Any';
		const sorted = [...types].filter((type) => type !== 'None');
		if (types.has('None')) sorted.push('None');
		return sorted.join(' | ');
	}

	#items(schema: JsonSchema, name: string): string {
		const parts = schema.prefixItems as readonly JsonSchema[] | undefined;
		return parts === undefined
			? this.typeOf((schema.items ?? {}) as JsonSchema, `${name}Item`)
			: this.#union(parts, `${name}Item`);
	}

	#object(schema: JsonSchema, name: string): string {
		if (schema.properties === undefined || Object.keys(schema.properties as object).length === 0) {
			const values = schema.additionalProperties;
			const isRecord = typeof values === 'object' && values !== null;
			return `dict[str, ${isRecord ? this.typeOf(values as JsonSchema, `${name}Value`) : 'Any'}]`;
		}
		const shape = this.#recordText('', schema, name);
		return this.#nameOfShape(shape, name, (typeName) => this.#recordText(typeName, schema, name));
	}

	/** Returns the name of the type with a shape. If there is none, `define` writes a new one. */
	#nameOfShape(shape: string, preferredName: string, define: (name: string) => string): string {
		const existing = this.#shapes.get(shape);
		if (existing !== undefined) return existing;
		let name = preferredName;
		for (let i = 2; this.#texts.has(name) || name in this.#definitions; i++) name = `${preferredName}${i}`;
		this.#shapes.set(shape, name);
		this.#texts.set(name, '');
		this.#texts.set(name, define(name));
		return name;
	}

	#recordText(name: string, schema: JsonSchema, within = name): string {
		const required = new Set((schema.required ?? []) as readonly string[]);
		const fields = Object.entries(schema.properties as Record<string, JsonSchema>).map(([field, value]) => {
			const type = this.typeOf(value, className(within, field));
			const isOptional = !required.has(field);
			return { field, type: isOptional ? `NotRequired[${type}]` : type, description: descriptionOf(value) };
		});
		const description = commentText(descriptionOf(schema));
		if (fields.some(({ field }) => !/^[A-Za-z_]\w*$/.test(field) || RESERVED.has(field))) {
			const members = fields.map(({ field, type }) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`);
			return `${name} = TypedDict("${name}", {${members.join(', ')}})`;
		}
		return [
			`class ${name}(TypedDict):`,
			...(description === '' ? [] : [`    """${description}"""`, '']),
			...fields.map(({ field, type, description }) => {
				const comment = commentText(description);
				return `    ${field}: ${type}${comment === '' ? '' : `  # ${comment}`}`;
			}),
		].join('\n');
	}
}

/** Returns the description of a value, or that of its only alternative to null; empty if there is none. */
export function descriptionOf(schema: JsonSchema): string {
	const options = ((schema.anyOf ?? []) as readonly JsonSchema[]).filter(({ type }) => type !== 'null');
	const description = schema.description ?? (options.length === 1 ? options[0]!.description : undefined);
	return typeof description === 'string' ? description : '';
}

/** Returns true for an alternative that only requires or forbids some fields. */
const isOnlyRestriction = (schema: JsonSchema): boolean =>
	Object.keys(schema).every((key) => ['required', 'not', 'properties'].includes(key));

/** Returns the name of an alternative. It contains the word that distinguishes it from the others, if there is one. */
function optionName(option: JsonSchema, name: string, i: number): string {
	const members = Object.values((option.properties ?? {}) as Record<string, JsonSchema>);
	const word = members.find((member) => typeof member.const === 'string')?.const;
	return typeof word === 'string' ? className(name, word) : i === 0 ? name : `${name}${i + 1}`;
}
