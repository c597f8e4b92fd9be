/** A call as it is typed into a shell. Owns: the quoting. */

import { hasBody } from '../../../shared/contract/route.ts';

/** Returns a call as a line for the shell. */
export function curlLine(address: string, method: string, path: string, body: string): string {
	const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
	// The console sends a path without its slash, too; behind an address it would extend the host name.
	const url = `${address}${path.startsWith('/') ? '' : '/'}${path}`;
	const target = /[^\w./:@%+,=~-]/.test(url) ? quote(url) : url;
	if (!hasBody(method)) return method === 'GET' ? `curl ${target}` : `curl -X ${method} ${target}`;
	let compact = body.trim() || '{}';
	try {
		compact = JSON.stringify(JSON.parse(compact));
	} catch {
		// Not finished: the line carries it as it stands, and the engine says what is wrong.
	}
	return `curl -X ${method} ${target} -H 'Content-Type: application/json' -d ${quote(compact)}`;
}
