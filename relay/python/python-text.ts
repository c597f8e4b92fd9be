/** Comments and docstrings of Python, wrap to a width. */

/** Maximum columns of a line of a docstring. */
const WIDTH = 100;

/** Returns a text in one line, in which nothing ends a docstring or starts an escape. */
export function commentText(text: string): string {
	return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
}

/**
 * Returns a text as lines of at most 100 columns. The first line begins with `lead`. If there is a lead, the other lines
 * are indented by four columns.
 */
export function wrap(text: string, indent: string, lead = ''): string[] {
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

/** Returns the lines of a docstring. If it has several lines, the closing quotes are on their own line. */
export function docstring(parts: readonly (readonly string[])[], indent: string): string[] {
	const [first = [], ...otherParts] = parts.filter((part) => part.length > 0);
	const [head = '', ...rest] = first;
	const body = [...rest, ...otherParts.flatMap((part) => ['', ...part])];
	const openingLine = `${indent}"""${head.trimStart()}`;
	// A blank separates a quote at the end from the closing quotes.
	const closeQuotes = (line: string) => (line.endsWith('"') ? `${line} """` : `${line}"""`);
	return body.length === 0 ? [closeQuotes(openingLine)] : [openingLine, ...body, `${indent}"""`];
}
