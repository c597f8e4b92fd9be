/**
 * The short texts of conditions, such as `timer:5` or `tick:60 & field:gold>=10`.
 * Owns: reading them into the typed form, which alone has a meaning.
 */

import { type Condition, conditionDocument } from '../../../shared/documents/condition.ts';
import {
	readNumber as number,
	unknownText,
	VerbTextError,
	readVector as vector,
	readWhole as whole,
	withinRanges as within,
} from '../../../shared/verbs/verb-text.ts';
import { FilterError, parseFilter } from '../filters/filter.ts';

const FORMS = [
	'death',
	'timer:SECONDS',
	'health-below:HP',
	'score:N',
	'phase:NAME',
	'tick:N',
	'event:KIND FIELD==VALUE ...',
	'enter:X,Y,Z:RADIUS',
	'leave:entity:ID:RADIUS',
	'field:NAME<VALUE level',
	'A & B',
	'A | B',
	'!A',
	'( )',
];

/** Deepest nesting of brackets and exclamation marks. */
const MAX_DEPTH = 50;

/** Reads a condition. Throws a VerbTextError. */
export function parseCondition(sent: string): Condition {
	const reader = new Reader(sent);
	const read = reader.anyOf();
	reader.end();
	return within(conditionDocument, read);
}

/** Reads what joins conditions: `!` binds closest, then `&`, then `|`; `&&` and `||` mean the same. */
class Reader {
	readonly #text: string;
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#text = text;
	}

	anyOf(): unknown {
		return this.#joined('|', 'any', () => this.#joined('&', 'all', () => this.#one()));
	}

	end(): void {
		if (this.#at < this.#text.length)
			throw new VerbTextError(`"${this.#text.slice(this.#at)}" is too much in "${this.#text}"`);
	}

	#joined(sign: string, kind: 'any' | 'all', read: () => unknown): unknown {
		const of = [read()];
		while (this.#takes(sign)) of.push(read());
		return of.length === 1 ? of[0] : { kind, of };
	}

	#one(): unknown {
		if (this.#takes('!')) return { kind: 'not', of: this.#deeper(() => this.#one()) };
		if (this.#takes('(')) {
			const inner = this.#deeper(() => this.anyOf());
			if (!this.#takes(')')) throw new VerbTextError(`a ")" is missing in "${this.#text}"`);
			return inner;
		}
		const [leaf = ''] = /^[^()&|]*/.exec(this.#text.slice(this.#at)) ?? [];
		this.#at += leaf.length;
		return readLeaf(leaf.trim());
	}

	#deeper(read: () => unknown): unknown {
		if (++this.#depth > MAX_DEPTH)
			throw new VerbTextError(`a condition nests at most ${MAX_DEPTH} brackets and "!" in one another`);
		const inner = read();
		this.#depth--;
		return inner;
	}

	#takes(sign: string): boolean {
		const [blanks = ''] = /^\s*/.exec(this.#text.slice(this.#at)) ?? [];
		const at = this.#at + blanks.length;
		if (this.#text[at] !== sign) return false;
		const doubled = (sign === '&' || sign === '|') && this.#text[at + 1] === sign;
		this.#at = at + (doubled ? 2 : 1);
		return true;
	}
}

function readLeaf(text: string): unknown {
	const at = text.indexOf(':');
	const kind = (at < 0 ? text : text.slice(0, at)).toLowerCase().replaceAll('_', '-');
	const value = at < 0 ? undefined : text.slice(at + 1).trim();
	switch (kind) {
		case 'death':
			if (value === undefined) return { kind };
			break;
		case 'timer':
			return { kind, interval: number(value, 'the seconds of a timer') };
		case 'health-below':
			return { kind: 'health_below', threshold: number(value, 'the health of health-below') };
		case 'score':
			return { kind, threshold: whole(value, 'the points of score') };
		case 'phase':
			return { kind, phase: value ?? '' };
		case 'tick':
			return { kind, every: whole(value, 'the ticks of tick') };
		case 'event':
			if (value !== undefined && value !== '') return readEvent(value);
			break;
		case 'enter':
		case 'leave':
			if (value !== undefined) return { kind, zone: readZone(value) };
			break;
		case 'field':
			if (value !== undefined) return readField(value);
	}
	throw notACondition(text, kind);
}

/** What other languages write here, told as it is written in this one. */
function notACondition(text: string, kind: string): VerbTextError {
	const quoted = `the condition "${text}" is not understood`;
	if (isFilter(text)) return new VerbTextError(`${quoted}; it says which entities: send it as "filter"`);
	if (COMPARISON.test(text))
		return new VerbTextError(`${quoted}; write a comparison of a field as field:${text}`);
	const [, word = kind, value = ''] = /^([\w-]+)\s*[=\s]\s*(\S*)$/.exec(text) ?? [];
	const form = FORMS.find((known) => known.startsWith(`${word.toLowerCase()}:`));
	if (form !== undefined && value !== '')
		return new VerbTextError(`${quoted}; write it as ${word.toLowerCase()}:${value}`);
	return unknownText('condition', text, kind, FORMS);
}

function isFilter(text: string): boolean {
	try {
		return parseFilter(text).type !== 'any';
	} catch (error) {
		if (error instanceof FilterError) return false;
		throw error;
	}
}

const COMPARISON = /^[\w.]+\s*(>=|<=|==|!=|>|<)\s*\S+$/;

const TEST = /^([\w.]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)$/;

function readEvent(value: string): unknown {
	const [event, ...tests] = value.split(/\s+/);
	const where = tests.map((test) => {
		const [, field, op, given = ''] = TEST.exec(test) ?? [];
		if (field === undefined)
			throw new VerbTextError(
				`"${test}" is no test of an event such as amount>=5 or name==horn${equals(test)}`,
			);
		return { field, op, value: literal(given) };
	});
	return { kind: 'event', event, ...(where.length > 0 ? { where } : {}) };
}

/** A word about the single equals sign, where one was written. */
function equals(text: string): string {
	return /[^=!<>]=[^=]/.test(text) ? '; equality is written ==' : '';
}

/** A number, true, false, or a word. */
function literal(text: string): number | boolean | string {
	if (text === 'true' || text === 'false') return text === 'true';
	return Number.isFinite(Number(text)) ? Number(text) : text;
}

function readZone(value: string): unknown {
	const [place = '', ...size] = value.split(':').map((part) => part.trim());
	if (place.toLowerCase() === 'entity' && size.length === 2)
		return { entity: whole(size[0], 'the id of a zone'), radius: number(size[1], 'the radius of a zone') };
	if (size.length !== 1)
		throw new VerbTextError(
			`the zone "${value}" is not understood; known: X,Y,Z:RADIUS, X,Y,Z:HX,HY,HZ, entity:ID:RADIUS`,
		);
	const center = vector(place, 'the place of a zone');
	return size[0]!.includes(',')
		? { center, half: vector(size[0], 'the half extents of a zone') }
		: { center, radius: number(size[0], 'the radius of a zone') };
}

function readField(value: string): unknown {
	const [, field, op, given, edge] = /^([\w.]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)(?:\s+(\w+))?$/.exec(value) ?? [];
	if (field === undefined)
		throw new VerbTextError(
			`"field:${value}" is not understood; write it as field:health.current<50${equals(value)}`,
		);
	return {
		kind: 'field',
		field,
		op,
		value: number(given, 'the value of a field'),
		...(edge === undefined ? {} : { edge }),
	};
}
