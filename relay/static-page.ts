/**
 * The built page and its files, as the relay gives them to browsers.
 * Owns: their headers, and putting a one-time token into the page. Ranges, types and what a browser has kept are `send`'s.
 * Never: serves a file that was not in the built folder when the relay started.
 */

import type { Stats } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import type { Duplex } from 'node:stream';
import send from 'send';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { WireResponse } from '../shared/contract/wire.ts';
import { CODINGS, type Coding, codingFor, compressibleType } from './codings.ts';
import { Faults } from './faults.ts';

/** Source of the page and its files: the built folder, or vite while people work on it. */
export interface PageSource {
	/** Returns the page's HTML for this address, before the token is put in. */
	html(url: string): Promise<string>;
	/**
	 * Answers the request itself, if it is for a file such as `/assets/main-1a2b.js`; true if it does. `path` is as
	 * sent.
	 */
	serve(request: IncomingMessage, response: ServerResponse, path: string): boolean;
	/** The sockets of the page's own, if it has any. */
	readonly sockets?: PageSockets;
	/** Value of the page's Content-Security-Policy; none is sent when absent. */
	readonly policy?: string | undefined;
}

/** Sockets that are the page's and not the engine's, such as vite's. */
export interface PageSockets {
	takes(request: IncomingMessage): boolean;
	/** Takes one over. Called only with those of the page itself. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
}

/** Values that the relay writes into the page's head. */
export interface PageOptions {
	readonly profile: 'full' | 'bare';
	readonly seed: number | undefined;
	/** Heavy mode: one tick in N is re-run. */
	readonly verify?: number | undefined;
	/** True if calls that change something take a session. */
	readonly gated?: boolean;
}

/** Isolation gives the page exact timers and shared memory, and keeps other sites from holding its window. */
export const ISOLATION: Readonly<Record<string, string>> = {
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-embedder-policy': 'require-corp',
	'cross-origin-resource-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
};

const POLICY = [
	"default-src 'self'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"worker-src 'self' blob:",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' blob: data:",
	"media-src 'self' blob: data:",
	"connect-src 'self' blob: data:",
	"object-src 'none'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

const PROOF = '/proof/index.html';
const DOCS = '/docs/index.html';

/** Pages beside the one that has the world, as plain file servers find them. They have no token. */
export const PAGES: Readonly<Record<string, string>> = {
	'/proof': PROOF,
	'/proof/': PROOF,
	'/docs': DOCS,
	'/docs/': DOCS,
};

/**
 * Returns the file at an address, found as plain file servers do: itself, a page without its ending, the index of a
 * folder.
 */
const fileAt = (files: ReadonlySet<string>, path: string): string | undefined =>
	[path, `${path}.html`, `${path}index.html`].find((file) => files.has(file));

/** Returns the page in a built folder. Rejects when there is no `index.html` in it. */
export async function builtPage(folder: string): Promise<PageSource> {
	const faults = new Faults(folder);
	const files = new Set<string>();
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || entry.name.startsWith('.')) continue;
		const path = join(entry.parentPath, entry.name)
			.slice(folder.length)
			.split(sep)
			.filter((name) => name !== '')
			.map(encodeURIComponent)
			.join('/');
		files.add(`/${path}`);
	}
	if (!files.delete('/index.html')) throw new Error(`There is no index.html in ${folder}.`);
	const html = await readFile(join(folder, 'index.html'), 'utf8');
	return {
		html: async () => html,
		policy: POLICY,
		serve(request, response, path) {
			if (request.method !== 'GET' && request.method !== 'HEAD') return false;
			const file = fileAt(files, PAGES[path] ?? path);
			const has = (coding: Coding) => files.has(`${file}${CODINGS[coding]}`);
			if (file !== undefined)
				giveFile(request, response, folder, { path: file, coding: codingFor(request.headers, has) }, faults);
			// Relative links of an index start from its folder.
			else if (files.has(`${path}/index.html`))
				response.writeHead(308, { ...ISOLATION, location: `${path.split('/').at(-1)}/` }).end();
			else return false;
			return true;
		},
	};
}

/** Sends a file, or the part of it that is asked for. */
function giveFile(
	request: IncomingMessage,
	response: ServerResponse,
	root: string,
	{ path, coding }: { readonly path: string; readonly coding: Coding | undefined },
	faults: Faults,
): void {
	// Built files carry a hash of their content in their names; the others are asked for again each time.
	const hashed = path.startsWith('/assets/');
	const headers = {
		'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
		...(path.endsWith('.html') ? { 'content-security-policy': POLICY, 'x-frame-options': 'DENY' } : {}),
		...(path === '/sw.js' ? { 'service-worker-allowed': '/' } : {}),
		...(compressibleType(path) === undefined ? {} : { vary: 'accept-encoding' }),
		...(coding === undefined ? {} : { 'content-encoding': coding, 'content-type': compressibleType(path)! }),
		...ISOLATION,
	};
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	send(request, coding === undefined ? path : `${path}${CODINGS[coding]}`, {
		root,
		index: false,
		cacheControl: false,
	})
		.on('file', (_, stat: Stats) => askProperly(request, stat))
		.on('error', (error: SendError) => giveError(response, error, faults))
		.pipe(response);
}

/**
 * Removes a range header that RFC 9110 ignores, where `send` differs. A range is for a GET. Weak validators and
 * inexact times do not bind it. An end part longer than the file means all of it.
 */
function askProperly({ method, headers }: IncomingMessage, { mtime, size }: Stats): void {
	const condition = headers['if-range'];
	const holds = condition === undefined || condition === mtime.toUTCString();
	if (method !== 'GET' || !holds || size === 0) delete headers.range;
	headers.range = headers.range?.replace(/(?<=[=,]\s*)-(\d+)/g, (end, length) =>
		Number(length) > size ? '0-' : end,
	);
}

interface SendError extends Error {
	readonly status: number;
	/** Headers, such as the length of the file. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** An unsatisfiable range, or an unmet condition, is answered as HTTP requires. A deleted file gets a clear error. */
function giveError(response: ServerResponse, error: SendError, faults: Faults): void {
	const { status, headers } = error;
	if (status === 416 || status === 412) {
		response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end();
		return;
	}
	const answer = errorResponse(
		new ApiError('internal', `The file could not be read: ${faults.describe(error)}`),
	);
	response.writeHead(answer.status, { ...answer.headers, 'cache-control': 'no-store' }).end(answer.body);
}

/** Returns the page with its token: never kept by a browser, since a token is good for one load. */
export async function pageAnswer(
	source: PageSource,
	url: string,
	token: string,
	options: PageOptions,
): Promise<WireResponse> {
	const html = await source.html(url);
	const seed = options.seed === undefined ? '' : ` data-seed="${options.seed}"`;
	const verify = options.verify === undefined ? '' : ` data-verify="${options.verify}"`;
	const meta = `<meta name="orrery-relay" content="${token}" data-profile="${options.profile}"${seed}${verify}${options.gated === true ? ' data-auth' : ''}>`;
	const page = html.replace(/<head[^>]*>/i, (head) => `${head}\n${meta}`);
	return htmlAnswer(page, source.policy);
}

/** Shown when a link on another site led here: that site must not be able to start or replace the engine. */
export function crossSitePage(): WireResponse {
	const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Orrery</title></head>
<body style="font:16px/1.5 system-ui;max-width:32em;margin:4em auto;padding:0 1em">
<p>A page of another site opened this address, so Orrery did not start.</p>
<p><a href="/">Open Orrery</a></p>
</body>
</html>
`;
	return htmlAnswer(
		page,
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
	);
}

function htmlAnswer(page: string, policy: string | undefined): WireResponse {
	return {
		status: 200,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'x-frame-options': 'DENY',
			'referrer-policy': 'no-referrer',
			...(policy === undefined ? {} : { 'content-security-policy': policy }),
			...ISOLATION,
		},
		body: Buffer.from(page),
	};
}
