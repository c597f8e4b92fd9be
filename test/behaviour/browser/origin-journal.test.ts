/** The journal of a tab without a relay, in Chromium's private file system: the common suite, and killed owners. */

import { join, resolve } from 'node:path';
import type { Browser, Page } from 'puppeteer';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journal, type JournalEntry, JournalError } from '../../../shared/transport/journal.ts';
import { fromBase64, toBase64 } from '../../../web/sim/core/base64.ts';
import { launchBrowser } from '../../support/browser.ts';
import { entryOf, journalSuite, readAll } from '../../support/journal-suite.ts';
import type { WorkerRequest } from '../../web/host/journal/page/journal.worker.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let server: ViteDevServer;
let browser: Browser;
let page: Page;
let owners = 0;
let folders = 0;

beforeAll(async () => {
	server = await createServer({
		root: join(ROOT, 'test/web/host/journal/page'),
		configFile: false,
		logLevel: 'error',
		cacheDir: join(ROOT, 'node_modules/.vite-journals'),
		server: { port: 0, host: '127.0.0.1', hmr: false, fs: { allow: [ROOT] } },
	});
	await server.listen();
	browser = await launchBrowser({ graphics: 'none' });
	page = await browser.newPage();
	await page.goto(server.resolvedUrls!.local[0]!);
	await page.waitForFunction(() => 'journals' in window);
});

afterAll(async () => {
	await browser.close();
	await server.close();
});

async function ask<T>(
	owner: number,
	method: WorkerRequest['method'],
	...args: readonly unknown[]
): Promise<T> {
	const answered = await page.evaluate((owner, asked) => window.journals.ask(owner, asked), owner, {
		method,
		args,
	} satisfies WorkerRequest);
	if (!('fault' in answered)) return answered.value as T;
	if (answered.fault === 'bug') throw new Error(answered.message);
	throw new JournalError(answered.fault, answered.message);
}

type SentEntry = { readonly bytes: string; readonly blobs: readonly string[] };

/** Returns a journal of an owner in the page. */
async function open(folder: string, maxEntries?: number): Promise<Journal & { readonly owner: number }> {
	const owner = owners++;
	await ask(owner, 'open', folder, maxEntries ?? null);
	return {
		owner,
		durable: true,
		extent: () => ask(owner, 'extent'),
		acquire: () => ask(owner, 'acquire'),
		release: (epoch) => ask(owner, 'release', epoch),
		append: (epoch, at, entries) =>
			ask(
				owner,
				'append',
				epoch,
				at,
				entries.map(({ bytes, blobs }) => ({ bytes: toBase64(bytes), blobs })),
			),
		async read(from, most): Promise<JournalEntry[]> {
			const read = await ask<readonly SentEntry[]>(owner, 'read', from, most);
			return read.map(({ bytes, blobs }) => ({ bytes: fromBase64(bytes), blobs }));
		},
		async keepState(epoch, at, pieces, blobs) {
			const sent: string[] = [];
			for await (const piece of pieces) sent.push(toBase64(piece));
			await ask(owner, 'keepState', epoch, at, sent, blobs);
		},
		async state(at) {
			const found = await ask<{ readonly at: number; readonly bytes: string } | null>(
				owner,
				'state',
				at ?? null,
			);
			return found === null ? null : { at: found.at, bytes: fromBase64(found.bytes) };
		},
		keepBlob: (hash, bytes) => ask(owner, 'keepBlob', hash, toBase64(bytes)),
		async blob(hash) {
			const bytes = await ask<string | null>(owner, 'blob', hash);
			return bytes === null ? null : fromBase64(bytes);
		},
		close: () => ask(owner, 'close'),
	};
}

journalSuite("a browser's private storage", async (most) => {
	const folder = `suite-${folders++}`;
	return { open: () => open(folder, most) };
});

test('an owner killed during its writes leaves every stored entry, and releases its lease', async () => {
	const folder = `killed-${folders++}`;
	const journal = await open(folder);
	let stored = 0;
	const epoch = await journal.acquire();
	const writing = (async () => {
		for (let at = 0; at < 10_000; at++) {
			await journal.append(epoch, at, [entryOf('x'.repeat(5000))]);
			stored = at + 1;
		}
	})();
	// The last append never ends, because its worker is killed.
	writing.catch(() => {});
	await expect.poll(() => stored).toBeGreaterThan(20);
	await page.evaluate((owner) => window.journals.kill(owner), journal.owner);
	const storedAtKill = stored;
	let next: Journal | undefined;
	await expect
		.poll(async () => {
			next = await open(folder).catch((error: JournalError) => {
				if (error.fault !== 'locked') throw error;
				return undefined;
			});
			return next !== undefined;
		})
		.toBe(true);
	const entries = await readAll(next!);
	expect(entries.length).toBeGreaterThanOrEqual(storedAtKill);
	expect(entries.every(({ bytes }) => bytes.length === 5000)).toBe(true);
	await next!.append(await next!.acquire(), entries.length, [entryOf('after')]);
	await next!.close();
});
