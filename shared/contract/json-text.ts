/**
 * What a JSON text may not do although it is JSON: say a key of an object twice, of which parsing silently keeps the
 * last, or nest so deep that whoever walks through it runs out of stack.
 * Owns: both checks.
 */

/** Deepest nesting of lists and objects. */
export const MAX_DEPTH = 200;

const TEXT = /"(?:[^"\\]|\\.)*"/g;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** What is wrong with a text that parses to `value`, and what to send instead; undefined when nothing is. */
export function jsonFault(text: string, value: unknown): { message: string; fix: string } | undefined {
	let depth = 0;
	let members = 0;
	for (const sign of text.replace(TEXT, '')) {
		if (sign === ':') members++;
		else if (sign === '}' || sign === ']') depth--;
		else if ((sign === '{' || sign === '[') && ++depth > MAX_DEPTH)
			return {
				message: `The body nests lists and objects deeper than ${MAX_DEPTH}.`,
				fix: `Send at most ${MAX_DEPTH} within each other.`,
			};
	}
	// A text that says more members than there are has lost some.
	if (members === countMembers(value)) return undefined;
	const twin = twinKey(text);
	return {
		message: `An object in the body has the key "${twin}" more than once.`,
		fix: `Send "${twin}" once.`,
	};
}

function countMembers(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts = Object.values(value);
	let count = Array.isArray(value) ? 0 : parts.length;
	for (const part of parts) count += countMembers(part);
	return count;
}

/** The first key that an object of the text has twice. */
function twinKey(text: string): string {
	const open: Set<string>[] = [];
	let last = '';
	for (const [token] of text.matchAll(TOKEN)) {
		if (token === '{' || token === '[') open.push(new Set());
		else if (token === '}' || token === ']') open.pop();
		else if (token === ':') {
			const key = JSON.parse(last) as string;
			const keys = open.at(-1)!;
			if (keys.has(key)) return key;
			keys.add(key);
		} else last = token;
	}
	throw new Error('a text has more members than its value and no key twice');
}
