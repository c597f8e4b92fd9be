/** Texts within Python: comments, and docstrings of a width. */

/** Columns of a line of a docstring. */
const WIDTH = 100;

/** Returns a text on one line, without what would end a docstring or begin an escape. */
export function commentText(text: string): string {
	return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
}

/**
 * Returns a text as lines of at most 100 columns. The first begins with `lead`, the others with as much space and two
 * columns more.
 */
export function wrapped(text: string, indent: string, lead = ''): string[] {
	const hang = lead === '' ? indent : `${indent}    `;
	const lines: string[] = [];
	let line = `${indent}${lead}`;
	let isEmpty = lead === '';
	for (const word of commentText(text).split(' ')) {
		if (!isEmpty && line.length + 1 + word.length > WIDTH) {
			lines.push(line.trimEnd());
			line = hang;
			isEmpty = true;
		}
		line += isEmpty || line.endsWith(' ') ? word : ` ${word}`;
		isEmpty = false;
	}
	return [...lines, line.trimEnd()];
}

/** Returns a docstring: its first line beside the quotes, which end on a line of their own. */
export function docstring(parts: readonly (readonly string[])[], indent: string): string[] {
	const [first = [], ...others] = parts.filter((part) => part.length > 0);
	const [head = '', ...rest] = first;
	const body = [...rest, ...others.flatMap((part) => ['', ...part])];
	const opened = `${indent}"""${head.trimStart()}`;
	// A quote at the end would join those that close.
	const closes = (line: string) => (line.endsWith('"') ? `${line} """` : `${line}"""`);
	return body.length === 0 ? [closes(opened)] : [opened, ...body, `${indent}"""`];
}
