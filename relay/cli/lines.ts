/**
 * Standard input, line by line.
 * Owns: what ends a line: a line feed alone, as JSON has the other line ends of Unicode within its strings.
 */

import type { Readable } from 'node:stream';

/** The lines of a stream of UTF-8, without what ends them: a line feed, or a carriage return and one. */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
	let begun = '';
	for await (const text of input.setEncoding('utf8') as AsyncIterable<string>) {
		const [first, ...more] = text.split('\n');
		begun += first;
		for (const next of more) {
			yield withoutReturn(begun);
			begun = next;
		}
	}
	if (begun !== '') yield withoutReturn(begun);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
