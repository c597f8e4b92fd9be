/** A call as a curl command. Owns: the quoting. */

import { hasBody } from '../../../shared/contract/route.ts';

/** Returns the curl command for a call, quoted for a POSIX shell. */
export function curlLine(address: string, method: string, path: string, body: string): string {
	const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
	// A path without its slash is accepted, too. Right behind the address it would extend the host name.
	const url = `${address}${path.startsWith('/') ? '' : '/'}${path}`;
	const target = /[^\w./:@%+,=~-]/.test(url) ? quote(url) : url;
	if (!hasBody(method)) return method === 'GET' ? `curl ${target}` : `curl -X ${method} ${target}`;
	let compact = body.trim() || '{}';
	try {
		compact = JSON.stringify(JSON.parse(compact));
	} catch {
		// The body is unfinished. The command sends it unchanged, and the engine reports the error.
	}
	return `curl -X ${method} ${target} -H 'Content-Type: application/json' -d ${quote(compact)}`;
}
