/**
 * The short texts of conditions and filters, such as `tick:60 & field:gold>=10`, `team:2+alive` and `count team:2 max=0`.
 * Owns: reading them into the typed form, and the refusal of unknown texts.
 */

import { catchRefusal, Refusal } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import type { ConditionKind, InnerCondition } from './conditions/condition.ts';
import {
	aboutOf,
	CONDITIONS,
	type Condition,
	conditionDocument,
	conditionKind,
	filterDocument,
	sayCondition,
	wordOf,
} from './conditions/index.ts';
import { quantifiedForm } from './conditions/quantified.ts';
import type { Quantifier } from './conditions/quantifier.ts';
import { joinedParts, splitGroup } from './conditions/reading.ts';
import { isMeasure, MEASURES } from './measure-name.ts';
import { withinRanges, withoutQuotes, wordsIn } from './verb-text.ts';
import { WordReader } from './word-reader.ts';

/**
 * Use of a condition. In a rule, `alive` alone is a filter. In a `statement` of an assertion or a wait, it means that no
 * entity is dead.
 */
export type TextUse = 'rule' | 'filter' | 'statement';

/** Maximum depth of nested brackets and `!`. */
const MAX_BRACKETS = 50;

const withDashes = (word: string): string => word.toLowerCase().replaceAll('_', '-');

const COLON_KINDS = new Map<string, ConditionKind>();
const BLANK_KINDS = new Map<string, ConditionKind>();
for (const kind of CONDITIONS) {
	if (kind.colon) for (const word of kind.colon.words ?? [withDashes(kind.name)]) COLON_KINDS.set(word, kind);
	if (kind.blank)
		for (const word of [...kind.blank.words, withDashes(kind.name)]) BLANK_KINDS.set(word, kind);
}

/** Forms of all short texts, and of the texts that join them. */
export const CONDITION_FORMS: readonly string[] = [
	...CONDITIONS.flatMap(({ colon, blank }) => [
		...(colon ? [colon.form] : []),
		...(blank ? [blank.form] : []),
	]),
	'A & B',
	'A | B',
	'!A',
	'( )',
	'any A',
	'all A',
	'none A',
];

/** Forms of conditions that are tested for each entity separately. */
const FILTER_FORMS = CONDITIONS.flatMap(({ colon, isPredicate }) =>
	colon && isPredicate ? [colon.form] : [],
).join(', ');

/** Reads a condition. Throws a Refusal. */
export function readCondition(sent: string, use: TextUse): Condition {
	const reader = new ConditionTextReader(sent, use);
	const read = reader.readAnyOf(0);
	reader.expectEnd();
	return withinRanges(conditionDocument, read);
}

/** Pattern of a quantifier at the start of a text. It does not match a filter such as `any+team:2`. */
const QUANTIFIED = /^\s*(any|all|none)(?=\s*\(|\s+[\w!*])/i;

/**
 * Reads the operators that join conditions: `!` binds closest, then `&`, then `|`; `&&` and `||` mean the same. A
 * quantifier is at the start of the text or of a bracket, and applies to all parts that `&` joins after it.
 */
class ConditionTextReader {
	readonly #text: string;
	readonly #use: TextUse;
	#position = 0;

	constructor(text: string, use: TextUse) {
		this.#text = text;
		this.#use = use;
	}

	/** Reads conditions up to a closing bracket or the end. `depth`: number of open brackets and `!`. */
	readAnyOf(depth: number): object {
		const [sign, word] = QUANTIFIED.exec(this.#text.slice(this.#position)) ?? [];
		const allOf = () => this.#joined('&', 'all', () => this.#readOne(depth));
		if (sign === undefined) return this.#joined('|', 'any', allOf);
		this.#position += sign.length;
		const quantifier = word!.toLowerCase() as Quantifier;
		const condition = withQuantifier(quantifier, allOf() as InnerCondition, this.#text);
		if (this.#takeSign('|'))
			throw new Refusal(
				`"${this.#text}" is ambiguous: "${quantifier}" may apply to one part or to all`,
				`Add brackets: (${quantifier} A & B) | C, or ${quantifier} (A | B).`,
			);
		return condition;
	}

	/** Throws a Refusal if text is left. */
	expectEnd(): void {
		if (this.#position < this.#text.length)
			throw new Refusal(`"${this.#text.slice(this.#position)}" is unexpected in "${this.#text}"`);
	}

	#joined(sign: string, kind: 'any' | 'all', read: () => object): object {
		const of = [read()];
		while (this.#takeSign(sign)) of.push(read());
		return of.length === 1 ? of[0]! : { kind, of };
	}

	#readOne(depth: number): object {
		if (depth > MAX_BRACKETS) throw new Refusal(`brackets and "!" nest at most ${MAX_BRACKETS} deep`);
		if (this.#takeSign('!')) return { kind: 'not', of: this.#readOne(depth + 1) };
		if (this.#takeSign('(')) {
			const inner = this.readAnyOf(depth + 1);
			if (!this.#takeSign(')')) throw new Refusal(`a ")" is missing in "${this.#text}"`);
			return inner;
		}
		const [leaf = ''] = /^(?:"[^"]*"|[^()&|])*/.exec(this.#text.slice(this.#position)) ?? [];
		this.#position += leaf.length;
		const alone = leaf.trim() === this.#text.trim();
		if (QUANTIFIED.test(leaf))
			throw new Refusal(
				`"${leaf.trim()}" begins with a quantifier within "${this.#text}"`,
				`Put brackets around this part: (${leaf.trim()}).`,
			);
		try {
			return readLeaf(leaf.trim(), alone || this.#use !== 'statement' ? this.#use : 'rule');
		} catch (error) {
			throw error instanceof NotUnderstood ? explainError(error) : error;
		}
	}

	/** Skips a sign, single or doubled, and the blanks before it. Returns false if another text follows. */
	#takeSign(sign: string): boolean {
		const [blanks = ''] = /^\s*/.exec(this.#text.slice(this.#position)) ?? [];
		const start = this.#position + blanks.length;
		if (this.#text[start] !== sign) return false;
		const doubled = (sign === '&' || sign === '|') && this.#text[start + 1] === sign;
		this.#position = start + (doubled ? 2 : 1);
		return true;
	}
}

/** Adds a quantifier to a condition. Throws a Refusal for a condition that is not about entities. */
function withQuantifier(quantifier: Quantifier, condition: InnerCondition, text: string): object {
	const { quantify } = conditionKind(condition);
	if (quantify !== undefined) return quantify(condition, quantifier);
	const parts = joinedParts(condition);
	if (parts.every((part) => aboutOf(part).subject))
		return quantifiedForm({ quantifier, ...splitGroup(condition) });
	const statement = parts.find((part) => !aboutOf(part).subject)!;
	if (parts.length > 1)
		throw new Refusal(
			`"${text}" has the quantifier "${quantifier}" before "${sayCondition(statement, String)}", which is not about single entities`,
			`Add brackets: (${quantifier} A & B) & C.`,
		);
	throw new Refusal(
		`"${text}" has the quantifier "${quantifier}" before a condition that is not about entities`,
		`Leave "${quantifier}" out, or write a condition about entities, such as ${quantifier} tag:boss & alive.`,
	);
}

/** Refusal of an unknown condition. `explainError` replaces it by one with a suggestion. */
class NotUnderstood extends Refusal {
	readonly text: string;
	readonly use: TextUse;

	constructor(text: string, use: TextUse) {
		super(`"${text}" is not understood`);
		this.text = text;
		this.use = use;
	}
}

/** Pattern of a + that joins conditions: before a word, outside quotes. Before a digit, + is a sign. */
const JOINT = /\+(?=\s*!?\s*[a-z*_-])(?=(?:[^"]*"[^"]*")*[^"]*$)/i;

function readLeaf(text: string, use: TextUse): object {
	const parts = text.split(JOINT).map((part) => part.trim());
	if (parts.length === 1 || !isPredicate(parts[0]!)) return readSingle(text, use);
	return { type: 'and', filters: parts.map(readPredicate) };
}

const wordAt = (text: string): string => withDashes(/^!?\s*([\w*-]*)/.exec(text)![1]!);

const isPredicate = (text: string): boolean => COLON_KINDS.get(wordAt(text))?.isPredicate === true;

/** Reads a condition that can be joined with +, because it is tested for each entity separately. */
function readPredicate(text: string): object {
	if (text.startsWith('!')) return { kind: 'not', of: readPredicate(text.slice(1).trim()) };
	if (!isPredicate(text)) throw new NotUnderstood(text, 'filter');
	return readSingle(text, 'filter');
}

function readSingle(text: string, use: TextUse): object {
	if (text.startsWith('!')) return { kind: 'not', of: readSingle(text.slice(1).trim(), use) };
	const word = wordAt(text);
	const rest = text.slice(word.length).trimStart();
	const [colon, blank] = [COLON_KINDS.get(word)?.colon, BLANK_KINDS.get(word)];
	if (rest.startsWith(':')) {
		const read = colon?.read(withoutQuotes(rest.slice(1).trim()));
		if (read != null) return { ...headOf(COLON_KINDS.get(word)!), ...read };
		throw new NotUnderstood(text, use);
	}
	if (rest === '' && (blank === undefined || use !== 'statement')) {
		const read = colon?.read(undefined);
		if (read != null) return { ...headOf(COLON_KINDS.get(word)!), ...read };
	}
	if (blank !== undefined) return readWords(text, blank, word);
	throw new NotUnderstood(text, use);
}

const headOf = (kind: ConditionKind): object => ({ [kind.key]: wordOf(kind) });

/** Reads a condition from its short word and the fields after it. Comparisons need no blanks around them. */
function readWords(text: string, kind: ConditionKind, word: string): object {
	const spaced = text
		.slice(word.length)
		.replace(/"[^"]*"|[<>=!]=|[<>]/g, (part) => (part[0] === '"' ? part : ` ${part} `));
	const reader = new WordReader(text, wordsIn(spaced));
	const fields = fieldsOf(kind);
	while (reader.next !== undefined) {
		if (kind.blank!.take?.(reader) === true) continue;
		if (!fields.includes('filter'))
			throw new Refusal(
				`the condition ${word} does not take "${reader.next}"`,
				`Write it as: ${kind.blank!.form}.`,
			);
		reader.set('filter', reader.take());
	}
	return conditionFromWord(kind, word, reader.fields);
}

const conditionShape = (kind: ConditionKind) =>
	kind.fields({ condition: conditionDocument, filter: filterDocument });

/** Returns the fields of a kind of condition. */
export const fieldsOf = (kind: ConditionKind): string[] => Object.keys(conditionShape(kind));

/** The short words that take fields. */
export const SHORT_WORDS: readonly string[] = [...BLANK_KINDS.keys()];

/** Returns the kind with a short word, such as `count`; undefined for an unknown word. */
export const kindOfWord = (word: string): ConditionKind | undefined =>
	BLANK_KINDS.get(withDashes(word.trim()));

/** Builds a condition from its short word and its fields. Throws a Refusal. */
export function conditionFromWord(
	kind: ConditionKind,
	word: string,
	given: Readonly<Record<string, unknown>>,
): object {
	const shape = conditionShape(kind);
	for (const [field, schema] of Object.entries(shape))
		if (given[field] == null && !schema.safeParse(undefined).success)
			throw new Refusal(
				`the condition ${word} needs "${field}"`,
				`Send "${field}" beside the condition.`,
				field,
			);
	const filter = given.filter;
	const typed = typeof filter === 'string' ? readCondition(filter, 'filter') : filter;
	const entries = Object.entries({ ...given, ...(filter == null ? {} : { filter: typed }) });
	const fields = Object.fromEntries(entries.filter(([, value]) => value != null));
	return withinRanges(conditionDocument, { ...headOf(kind), ...fields });
}

const COMPARISON_TEXT = /^[\w.]+\s*(>=|<=|==|!=|>|<)\s*\S+$/;

/** Returns true if a text is valid, so that it can be suggested. */
function isReadable(text: string, use: TextUse): boolean {
	return catchRefusal(
		() => readLeaf(text, use) !== null,
		() => false,
	);
}

/**
 * Returns the field at the start of a text, if no condition has this name or the text compares the field. Otherwise
 * returns undefined.
 */
function leadingField(text: string): string | undefined {
	const [, name = '', next = ''] = /^([\w.]*)\s*(.?)/s.exec(text) ?? [];
	const isHead = COLON_KINDS.has(withDashes(name)) || BLANK_KINDS.has(withDashes(name));
	if (next === ':' || (isHead && !COMPARISON_TEXT.test(text))) return undefined;
	return isMeasure(name) ? name : undefined;
}

/** Returns the error for an unknown text, with the nearest correct form. */
function explainError({ text, use }: NotUnderstood): Refusal {
	const noun = use === 'filter' ? 'filter' : 'condition';
	const quoted = `the ${noun} "${text}" is not understood`;
	const field = leadingField(text);
	if (field !== undefined)
		return new Refusal(
			COMPARISON_TEXT.test(text)
				? `${quoted}; write a comparison of a field as field:${text}`
				: `${quoted}; a field must be compared with a number`,
			`Write "field ${field} < 50": the word field, a field, a comparison, a number.`,
		);
	// Only a field can be compared, so similar words of conditions do not matter.
	const [, compared = '', comparison = ''] = /^([\w.]+)\s*((?:>=|<=|==|!=|>|<)\s*\S+)$/.exec(text) ?? [];
	const nearestField = compared === '' ? undefined : nearest(compared, MEASURES);
	if (nearestField !== undefined && isReadable(`field:${nearestField}${comparison}`, use))
		return new Refusal(
			`${quoted}; there is no field "${compared}", did you mean "${nearestField}"?`,
			`Write field:${nearestField}${comparison.replace(/\s/g, '')}.`,
		);
	const negated = /^not\s+(.+)$/is.exec(text)?.[1];
	if (negated !== undefined && isReadable(negated, use))
		return new Refusal(`${quoted}; write it as !${negated}`, `Write !${negated}.`);
	const parts = text.split(/\s+/);
	if (parts.length > 1 && parts.every((part) => isReadable(part, use))) {
		const joined = parts.join(' & ');
		return new Refusal(`${quoted}; join its parts with & or |`, `Write "${joined}" if all must hold.`);
	}
	const [, sent = '', joint = '', value = ''] = /^([\w*-]*)\s*(=+|:|)\s*(.*)$/s.exec(text) ?? [];
	const word = withDashes(sent);
	const colon = COLON_KINDS.get(word)?.colon;
	if (colon !== undefined && joint !== ':' && value !== '' && isReadable(`${word}:${value}`, use))
		return new Refusal(`${quoted}; write it as ${word}:${value}`, `Write ${word}:${value}.`);
	const rest = text.slice(sent.length);
	// No condition begins with a word that has a dot, so this is an unknown field.
	const heads = rest.startsWith('.') ? [] : [...COLON_KINDS.keys(), ...BLANK_KINDS.keys()];
	const nearestWord = colon === undefined ? nearest(word, heads) : word;
	const nearestValue = colon === undefined ? undefined : nearest(value, colon.values ?? [])?.toLowerCase();
	const guesses = [
		`${nearestWord}${rest}`,
		`${nearestWord}:${nearestValue ?? value}`,
		`${nearestWord} ${value}`.trim(),
	];
	const suggestion =
		nearestWord === undefined
			? undefined
			: (guesses.find((guess) => isReadable(guess, use)) ?? (colon === undefined ? nearestWord : undefined));
	const question = suggestion === undefined ? '' : `did you mean "${suggestion}"? `;
	const knownNames =
		use === 'filter' ? `${FILTER_FORMS}, joined with +, & | ! ( )` : CONDITION_FORMS.join(', ');
	return new Refusal(
		colon === undefined
			? `${quoted}; ${question}known: ${knownNames}`
			: `${quoted}; ${question}write it as ${colon.form}`,
		suggestion === undefined
			? colon === undefined
				? `Use one of these forms: ${knownNames}.`
				: `Write it as ${colon.form}.`
			: `Did you mean "${suggestion}"?`,
	);
}
