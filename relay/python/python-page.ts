/**
 * Python package of a clone, under `/python/`. It is built from the sources when it is first requested.
 * Owns: these answers. An installed package has the same files in the built page.
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

/** Returns a page source that also serves the Python package. */
export function withPythonPackage(page: PageSource): PageSource {
	let builtPackage: Promise<BuiltPython> | undefined;
	const serve = (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
		const { method } = request;
		if (method !== 'GET' && method !== 'HEAD') return page.serve(request, response, path);
		if (path === PYTHON_PATH.slice(0, -1)) {
			response.writeHead(308, { ...ISOLATION, location: 'python/' }).end();
			return true;
		}
		const name = path.startsWith(PYTHON_PATH) ? path.slice(PYTHON_PATH.length) : undefined;
		if (name !== '' && name?.endsWith('.whl') !== true) return page.serve(request, response, path);
		// Built on demand, because it loads the declarations of all routes, which a server does not need otherwise.
		builtPackage ??= buildPackage().catch((error: unknown) => {
			builtPackage = undefined;
			throw error;
		});
		builtPackage.then(
			({ wheel, index }) => {
				if (name === '') sendBytes(response, method, 'text/html; charset=utf-8', Buffer.from(index));
				else if (name === wheel.name) sendBytes(response, method, 'application/octet-stream', wheel.bytes);
				else
					response
						.writeHead(404, { ...ISOLATION, 'content-type': 'text/plain' })
						.end(`There is no such file. The wheel of this version is ${wheel.name}.\n`);
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
		// A getter, because a page that is built on demand has a policy only after its build.
		get policy() {
			return page.policy;
		},
	};
}

async function buildPackage(): Promise<BuiltPython> {
	const { buildWheel, indexPage } = await import('./wheel.ts');
	const wheel = buildWheel();
	return { wheel, index: indexPage(wheel) };
}

function sendBytes(response: ServerResponse, method: string, type: string, bytes: Uint8Array): void {
	response.writeHead(200, {
		...ISOLATION,
		'content-type': type,
		'content-length': bytes.length,
		'cache-control': 'no-cache',
	});
	response.end(method === 'HEAD' ? undefined : bytes);
}
