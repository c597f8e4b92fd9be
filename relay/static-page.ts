/**
 * The built page and its files, as the relay serves them.
 * Owns: their headers, and the one-time token in the page. The package `send` handles ranges, types and browser caches.
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

/** Source of the page and its files: the built folder, or vite during development. */
export interface PageSource {
	/** Returns the page's HTML for an address, without the token. */
	html(url: string): Promise<string>;
	/**
	 * Answers a request for a file such as `/assets/main-1a2b.js`. Returns false for other paths. `path`: the path as sent.
	 */
	serve(request: IncomingMessage, response: ServerResponse, path: string): boolean;
	/** Sockets of the page itself, if it has any. */
	readonly sockets?: PageSockets;
	/** Value of the page's Content-Security-Policy header; undefined for no header. */
	readonly policy?: string | undefined;
}

/** Sockets that belong to the page and not to the engine, such as vite's. */
export interface PageSockets {
	/** Returns true if a request asks for such a socket. */
	accepts(request: IncomingMessage): boolean;
	/** Upgrades a request that `accepts` has accepted. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
}

/** Values that the relay writes into the page's head. */
export interface PageOptions {
	readonly profile: 'full' | 'bare';
	readonly seed: number | undefined;
	/** Heavy mode: each Nth tick is re-run. */
	readonly verify?: number | undefined;
	/** True if calls that change something need a session. */
	readonly gated?: boolean;
}

/** Headers that isolate the page. The page gets exact timers and shared memory, and other sites get no access to its window. */
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

const PROOF_FILE = '/proof/index.html';
const DOCS_FILE = '/docs/index.html';

/** Files of the pages without an engine, by address. They get no token. */
export const OTHER_PAGES: Readonly<Record<string, string>> = {
	'/proof': PROOF_FILE,
	'/proof/': PROOF_FILE,
	'/docs': DOCS_FILE,
	'/docs/': DOCS_FILE,
};

/**
 * Returns the file for an address, like a plain file server: the file itself, the page whose extension is omitted, or
 * the index of the folder.
 */
const fileAt = (files: ReadonlySet<string>, path: string): string | undefined =>
	[path, `${path}.html`, `${path}index.html`].find((file) => files.has(file));

/** Returns the page of a built folder. Rejects if the folder has no `index.html`. */
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
			const file = fileAt(files, OTHER_PAGES[path] ?? path);
			const isCompressed = (coding: Coding) => files.has(`${file}${CODINGS[coding]}`);
			if (file !== undefined)
				sendFile(
					request,
					response,
					folder,
					{ path: file, coding: codingFor(request.headers, isCompressed) },
					faults,
				);
			// Relative links of an index need an address that ends with a slash.
			else if (files.has(`${path}/index.html`))
				response.writeHead(308, { ...ISOLATION, location: `${path.split('/').at(-1)}/` }).end();
			else return false;
			return true;
		},
	};
}

/** Sends a file, or the range of it that the request names. */
function sendFile(
	request: IncomingMessage,
	response: ServerResponse,
	root: string,
	{ path, coding }: { readonly path: string; readonly coding: Coding | undefined },
	faults: Faults,
): void {
	// Files in /assets/ have a hash of their content in their names. Browsers must check all others for changes.
	const hasHash = path.startsWith('/assets/');
	const headers = {
		'cache-control': hasHash ? 'public, max-age=31536000, immutable' : 'no-cache',
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
		.on('file', (_, stats: Stats) => correctRange(request, stats))
		.on('error', (error: SendError) => answerError(response, error, faults))
		.pipe(response);
}

/**
 * Corrects a range header in cases where `send` differs from RFC 9110. The header is removed if the request is not a
 * GET, if its If-Range is not the exact time of the file, and for an empty file. A suffix that is longer than the file
 * means the whole file.
 */
function correctRange({ method, headers }: IncomingMessage, { mtime, size }: Stats): void {
	const condition = headers['if-range'];
	const isUnchanged = condition === undefined || condition === mtime.toUTCString();
	if (method !== 'GET' || !isUnchanged || size === 0) delete headers.range;
	headers.range = headers.range?.replace(/(?<=[=,]\s*)-(\d+)/g, (suffix, length) =>
		Number(length) > size ? '0-' : suffix,
	);
}

interface SendError extends Error {
	readonly status: number;
	/** Headers, such as the length of the file. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an error of `send`. A range or a condition that cannot be met gets its HTTP status. Other errors get an API error. */
function answerError(response: ServerResponse, error: SendError, faults: Faults): void {
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

/** Returns the page with its token. Browsers must not cache it, because a token is valid for one load. */
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

/** Returns a page without an engine, for a link on another site. That site must not be able to start or replace the engine. */
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
