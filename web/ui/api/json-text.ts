/**
 * JSON as text: pieces to colour, and indented printing.
 * Owns: cutting a text into pieces, even if it is unfinished. Never: parses values.
 */

export type JsonPiece = {
	readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
	readonly text: string;
};

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|\b(true|false|null)\b/g;

/** Returns the pieces of a JSON text in order. Joined, they equal the text. */
export function jsonPieces(text: string): readonly JsonPiece[] {
	const pieces: JsonPiece[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKEN)) {
		if (match.index > end) pieces.push({ kind: 'plain', text: text.slice(end, match.index) });
		const [whole, quoted, colon, number] = match;
		if (quoted !== undefined) {
			pieces.push({ kind: colon === undefined ? 'string' : 'key', text: quoted });
			if (colon !== undefined) pieces.push({ kind: 'plain', text: colon });
		} else pieces.push({ kind: number === undefined ? 'word' : 'number', text: whole });
		end = match.index + whole.length;
	}
	if (end < text.length) pieces.push({ kind: 'plain', text: text.slice(end) });
	return pieces;
}

/** Returns a value as indented JSON; short lists and records stay on one line. */
export function printJson(value: unknown, indent = ''): string {
	const flat = JSON.stringify(value) ?? 'null';
	if (typeof value !== 'object' || value === null) return flat;
	const deeper = `${indent}  `;
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		if (value.every((item) => typeof item !== 'object' || item === null)) {
			const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
			if (line.length <= 64) return line;
		}
		return `[\n${value.map((item) => deeper + printJson(item, deeper)).join(',\n')}\n${indent}]`;
	}
	const entries = Object.entries(value);
	if (entries.length === 0) return '{}';
	return `{\n${entries
		.map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${printJson(item, deeper)}`)
		.join(',\n')}\n${indent}}`;
}
