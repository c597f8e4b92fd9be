/** JSON for reading: values that fit into a line stay on it. */

const WIDTH = 100;

/**
 * Returns the text of a JSON value, indented by two spaces. Records and lists that fit into 100 columns are on one line.
 */
export function prettyJson(value: unknown, indent = ''): string {
	const flat = oneLine(value);
	if (flat.length + indent.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
	const inner = `${indent}  `;
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(',\n')}\n${indent}]`;
	}
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.map(([key, member]) => `${inner}${JSON.stringify(key)}: ${prettyJson(member, inner)}`);
	return `{\n${members.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
	return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
