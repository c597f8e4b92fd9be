/**
 * The Python package of a clone, under `/python/`: made from the sources when it is first asked for.
 * Owns: that answer. An installed package has the same files among those of the page.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ISOLATION, type PageSource } from '../static-page.ts';
import type { Wheel } from './wheel.ts';

/** Folder of the package below the address of the server. */
const PYTHON_PATH = '/python/';

interface BuiltPython {
	readonly wheel: Wheel;
	readonly index: string;
}

/** Returns the same source, with the Python package beside its files. */
export function withPythonPackage(page: PageSource): PageSource {
	let built: Promise<BuiltPython> | undefined;
	const serve = (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
		const { method } = request;
		if (method !== 'GET' && method !== 'HEAD') return page.serve(request, response, path);
		if (path === PYTHON_PATH.slice(0, -1)) {
			response.writeHead(308, { ...ISOLATION, location: 'python/' }).end();
			return true;
		}
		const name = path.startsWith(PYTHON_PATH) ? path.slice(PYTHON_PATH.length) : undefined;
		if (name !== '' && name?.endsWith('.whl') !== true) return page.serve(request, response, path);
		// The declarations of all routes, of which a server of calls needs none.
		built ??= make().catch((error: unknown) => {
			built = undefined;
			throw error;
		});
		built.then(
			({ wheel, index }) => {
				if (name === '') give(response, method, 'text/html; charset=utf-8', Buffer.from(index));
				else if (name === wheel.name) give(response, method, 'application/octet-stream', wheel.bytes);
				else
					response
						.writeHead(404, { ...ISOLATION, 'content-type': 'text/plain' })
						.end(`Not here: ${wheel.name} is.\n`);
			},
			(error: unknown) =>
				response.writeHead(500, { ...ISOLATION, 'content-type': 'text/plain' }).end(`${error}\n`),
		);
		return true;
	};
	return {
		html: (url) => page.html(url),
		serve,
		...(page.sockets === undefined ? {} : { sockets: page.sockets }),
		// A page that is built later has one only then.
		get policy() {
			return page.policy;
		},
	};
}

async function make(): Promise<BuiltPython> {
	const { buildWheel, indexPage } = await import('./wheel.ts');
	const wheel = buildWheel();
	return { wheel, index: indexPage(wheel) };
}

function give(response: ServerResponse, method: string, type: string, bytes: Uint8Array): void {
	response.writeHead(200, {
		...ISOLATION,
		'content-type': type,
		'content-length': bytes.length,
		'cache-control': 'no-cache',
	});
	response.end(method === 'HEAD' ? undefined : bytes);
}
