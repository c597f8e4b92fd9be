/**
 * A plain file server for the built page, without a relay.
 * Owns: the server, and calls from a page to its world.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer';
import send from 'send';
import { PAGE } from '../../../relay/folders.ts';
import { withoutMemory } from '../../support/engine.ts';

/** Path of the page. The page must not request anything outside of it. */
const FOLDER = '/x/';

export interface Site {
	readonly url: string;
	/** Requested paths outside of the page's folder. */
	readonly strayed: readonly string[];
	/** Ends all connections, and accepts no new ones. */
	stop(): Promise<void>;
	/** Listens on the same port again. */
	startAgain(): Promise<void>;
}

/** Serves the page on a free port. The caller stops it. */
export async function serveSite(): Promise<Site> {
	const strayed: string[] = [];
	const server = createServer((request, response) => {
		const path = request.url!.split('?')[0]!;
		if (path.startsWith(FOLDER))
			return void send(request, path.slice(FOLDER.length - 1), { root: PAGE }).pipe(response);
		strayed.push(path);
		response.writeHead(404).end();
	});
	const listen = async (port: number): Promise<void> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};
	await listen(0);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}${FOLDER}`,
		strayed,
		async stop() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
		startAgain: () => listen(port),
	};
}

/** Resolves when the service worker controls the page, so that its calls reach an engine. */
export async function ready(page: Page): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Makes a call in a page. */
export async function call(page: Page, method: string, path: string, body?: object) {
	const answer = await page.evaluate(
		async (method, path, body) => {
			const headers = { 'content-type': 'application/json' };
			const sent = body === undefined ? {} : { body: JSON.stringify(body) };
			const response = await fetch(`.${path}`, { method, headers, ...sent });
			const { status } = response;
			return { status, world: response.headers.get('x-orrery-world'), body: await response.json() };
		},
		method,
		path,
		body,
	);
	return {
		...answer,
		body: withoutMemory(answer.body) as { readonly state_digest?: string; readonly entity_count?: number },
	};
}
