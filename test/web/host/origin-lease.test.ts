/** Choice of the tab that owns the world if no relay makes it. Owns: locks whose news comes late. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OriginLease } from '../../../web/host/origin-lease.ts';

interface Asked {
	readonly callback: (lock: object | null) => unknown;
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: unknown) => void;
}

/** One lock. It is granted and stolen at once, as in the browser's own process; tabs hear of it when `tell` is called. */
class LateLocks {
	#owner: Asked | undefined;
	readonly #line: Asked[] = [];
	readonly #news: (() => void)[] = [];

	request(_: string, options: LockOptions, callback: Asked['callback']): Promise<unknown> {
		return new Promise((resolve, reject) => {
			const asked = { callback, resolve, reject };
			if (options.ifAvailable === true && this.#owner !== undefined)
				return void this.#news.push(() => resolve(callback(null)));
			if (options.steal === true) {
				const robbed = this.#owner;
				this.#owner = undefined;
				this.#news.push(() => robbed?.reject(new DOMException('It was stolen.', 'AbortError')));
				this.#line.unshift(asked);
			} else this.#line.push(asked);
			this.#grant();
		});
	}

	async tell(): Promise<void> {
		for (const hear of this.#news.splice(0)) {
			hear();
			// The tab takes one message after the other.
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	#grant(): void {
		if (this.#owner !== undefined) return;
		const next = this.#line.shift();
		this.#owner = next;
		if (next === undefined) return;
		this.#news.push(async () => {
			next.resolve(await next.callback({}));
			if (this.#owner !== next) return;
			this.#owner = undefined;
			this.#grant();
		});
	}
}

let locks: LateLocks;
const leaves: AbortController[] = [];

beforeEach(() => {
	locks = new LateLocks();
	vi.stubGlobal('navigator', { locks });
});
afterEach(() => {
	for (const left of leaves.splice(0)) left.abort();
	vi.unstubAllGlobals();
});

/** Opens a tab. `heard` is what it was to do, in order. */
async function openTab() {
	const left = new AbortController();
	leaves.push(left);
	const heard: string[] = [];
	const lease = new OriginLease({
		onOwn: () => heard.push('hold'),
		onVisit: () => heard.push('visit'),
		onClaim: () => heard.push('release'),
		onReplaced: () => heard.push('replaced'),
		onDeclined: (why) => heard.push(why),
		pageEnd: left.signal,
	});
	await locks.tell();
	await locks.tell();
	return { lease, heard, leave: () => left.abort() };
}

test('a claim moves the world from its owner, past the line', async () => {
	const owner = await openTab();
	const first = await openTab();
	const claimer = await openTab();
	claimer.lease.claim();
	await expect.poll(() => owner.heard).toEqual(['hold', 'release']);
	owner.lease.reportReleased();
	await expect.poll(() => locks.tell().then(() => claimer.heard)).toEqual(['visit', 'hold']);
	expect(owner.heard).toEqual(['hold', 'release', 'replaced']);
	expect(first.heard).toEqual(['visit']);
});

test('a tab that claims the world while the line comes to it owns it once, and keeps it', async () => {
	const owner = await openTab();
	const claimer = await openTab();
	const third = await openTab();
	claimer.lease.claim();
	await expect.poll(() => owner.heard).toEqual(['hold', 'release']);
	// The owner is gone before the claimer steals the lock from it, and the claimer does not know yet that it has the lock.
	const channel = new BroadcastChannel('orrery-world');
	owner.leave();
	await new Promise((resolve) => setImmediate(resolve));
	channel.postMessage({ type: 'released' });
	channel.close();
	const seen = vi.spyOn(locks, 'request');
	await expect.poll(() => seen.mock.calls.length).toBe(1);
	await locks.tell();
	await locks.tell();
	expect(claimer.heard).toEqual(['visit', 'hold']);
	expect(third.heard).toEqual(['visit']);
	claimer.leave();
	await expect.poll(() => locks.tell().then(() => third.heard)).toEqual(['visit', 'hold']);
});
