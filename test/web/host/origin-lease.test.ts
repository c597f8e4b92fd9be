/** Choice of the tab that owns the world without a relay. Owns: locks that report late. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OriginLease } from '../../../web/host/origin-lease.ts';

interface LockRequest {
	readonly callback: (lock: object | null) => unknown;
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: unknown) => void;
}

/** A lock. It is granted and stolen immediately, as in the browser's own process. `deliver` reports this to the tabs. */
class LateLocks {
	#owner: LockRequest | undefined;
	readonly #queue: LockRequest[] = [];
	readonly #news: (() => void)[] = [];

	request(_: string, options: LockOptions, callback: LockRequest['callback']): Promise<unknown> {
		return new Promise((resolve, reject) => {
			const lockRequest = { callback, resolve, reject };
			if (options.ifAvailable === true && this.#owner !== undefined)
				return void this.#news.push(() => resolve(callback(null)));
			if (options.steal === true) {
				const formerOwner = this.#owner;
				this.#owner = undefined;
				this.#news.push(() => formerOwner?.reject(new DOMException('It was stolen.', 'AbortError')));
				this.#queue.unshift(lockRequest);
			} else this.#queue.push(lockRequest);
			this.#grant();
		});
	}

	async deliver(): Promise<void> {
		for (const deliver of this.#news.splice(0)) {
			deliver();
			// A tab handles its messages one after another.
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	#grant(): void {
		if (this.#owner !== undefined) return;
		const next = this.#queue.shift();
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

/** Opens a tab. `heard`: the callbacks of its lease, in order. */
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
	await locks.deliver();
	await locks.deliver();
	return { lease, heard, leave: () => left.abort() };
}

test('a claim moves the world from its owner, ahead of waiting tabs', async () => {
	const owner = await openTab();
	const first = await openTab();
	const claimer = await openTab();
	claimer.lease.claim();
	await expect.poll(() => owner.heard).toEqual(['hold', 'release']);
	owner.lease.reportReleased();
	await expect.poll(() => locks.deliver().then(() => claimer.heard)).toEqual(['visit', 'hold']);
	expect(owner.heard).toEqual(['hold', 'release', 'replaced']);
	expect(first.heard).toEqual(['visit']);
});

test('a tab that claims the world while its turn comes owns the world once, and keeps it', async () => {
	const owner = await openTab();
	const claimer = await openTab();
	const third = await openTab();
	claimer.lease.claim();
	await expect.poll(() => owner.heard).toEqual(['hold', 'release']);
	// The owner ends before the claimer steals the lock. The claimer does not know yet that it has the lock.
	const channel = new BroadcastChannel('orrery-world');
	owner.leave();
	await new Promise((resolve) => setImmediate(resolve));
	channel.postMessage({ type: 'released' });
	channel.close();
	const seen = vi.spyOn(locks, 'request');
	await expect.poll(() => seen.mock.calls.length).toBe(1);
	await locks.deliver();
	await locks.deliver();
	expect(claimer.heard).toEqual(['visit', 'hold']);
	expect(third.heard).toEqual(['visit']);
	claimer.leave();
	await expect.poll(() => locks.deliver().then(() => third.heard)).toEqual(['visit', 'hold']);
});
