/**
 * The built page and its files, as the relay gives them to browsers.
 * Owns: their types and headers, and putting a one-time token into the page.
 * Never: serves a file that was not in the built folder when the relay started.
 */

import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import type { Duplex } from 'node:stream';
import type { WireResponse } from '../shared/contract/wire.ts';

/** Where the page and its files come from: the built folder, or vite while people work on it. */
export interface PageSource {
	/** The page's HTML for this address, before the token is put in. */
	html(url: string): Promise<string>;
	/** The file at a path as sent, such as `/assets/main-1a2b.js`, or undefined. */
	file(path: string): Promise<WireResponse> | undefined;
	/** Answers the request itself, if it is for a source file; true when it does. */
	serve?(request: IncomingMessage, response: ServerResponse, path: string): boolean;
	/** The sockets of the page's own, if it has any. */
	readonly sockets?: PageSockets;
	/** Value of the page's Content-Security-Policy; none is sent when absent. */
	readonly policy?: string;
}

/** Sockets that are the page's and not the engine's, such as vite's. */
export interface PageSockets {
	takes(request: IncomingMessage): boolean;
	/** Takes one over. Called only with those of the page itself. */
	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
}

/** What the page is told, in its head. */
export interface PageOptions {
	readonly profile: 'full' | 'bare';
	readonly seed: number | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.mjs': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json',
	'.map': 'application/json',
	'.wasm': 'application/wasm',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.webp': 'image/webp',
	'.ico': 'image/x-icon',
	'.glb': 'model/gltf-binary',
	'.gltf': 'model/gltf+json',
	'.obj': 'text/plain; charset=utf-8',
	'.txt': 'text/plain; charset=utf-8',
	'.mp3': 'audio/mpeg',
	'.ogg': 'audio/ogg',
	'.wav': 'audio/wav',
	'.woff2': 'font/woff2',
	'.ktx2': 'image/ktx2',
	'.hdr': 'application/octet-stream',
};

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

/** The page in a built folder. Rejects when there is no `index.html` in it. */
export async function builtPage(folder: string): Promise<PageSource> {
	const files = new Map<string, Promise<WireResponse> | undefined>();
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || entry.name.startsWith('.')) continue;
		const path = join(entry.parentPath, entry.name)
			.slice(folder.length)
			.split(sep)
			.filter((name) => name !== '')
			.map(encodeURIComponent)
			.join('/');
		files.set(`/${path}`, undefined);
	}
	if (!files.delete('/index.html')) throw new Error(`There is no index.html in ${folder}.`);
	const html = await readFile(join(folder, 'index.html'), 'utf8');
	return {
		html: async () => html,
		policy: POLICY,
		file(path) {
			if (!files.has(path)) return undefined;
			const kept = files.get(path);
			if (kept !== undefined) return kept;
			const read = readFile(join(folder, ...path.split('/').map(decodeURIComponent))).then((body) =>
				fileAnswer(path, body),
			);
			files.set(path, read);
			read.catch(() => files.set(path, undefined));
			return read;
		},
	};
}

/** A file as an answer, with the type that its name says. */
export function fileAnswer(path: string, body: Uint8Array): WireResponse {
	const named = path.startsWith('/assets/');
	return {
		status: 200,
		headers: {
			'content-type': TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
			// Built files carry a hash of their content in their names; the others are asked for again each time.
			'cache-control': named ? 'public, max-age=31536000, immutable' : 'no-cache',
			...(path === '/sw.js' ? { 'service-worker-allowed': '/' } : {}),
			...ISOLATION,
		},
		body,
	};
}

/** The page with its token: never kept by a browser, since a token is good for one load. */
export async function pageAnswer(
	source: PageSource,
	url: string,
	token: string,
	options: PageOptions,
): Promise<WireResponse> {
	const html = await source.html(url);
	const seed = options.seed === undefined ? '' : ` data-seed="${options.seed}"`;
	const meta = `<meta name="orrery-relay" content="${token}" data-profile="${options.profile}"${seed}>`;
	const page = html.replace(/<head[^>]*>/i, (head) => `${head}\n${meta}`);
	return htmlAnswer(page, source.policy);
}

/** Shown when a link on another site led here: that site must not be able to start or replace the engine. */
export function doorstepAnswer(): WireResponse {
	const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Orrery</title></head>
<body style="font:16px/1.5 system-ui;max-width:32em;margin:4em auto;padding:0 1em">
<p>A page of another site opened this address. Nothing has been started.</p>
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
