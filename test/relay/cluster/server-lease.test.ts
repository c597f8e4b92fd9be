/** The lease of a server: the owner of a world, the time after which another server may take it, and elections of NATS. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LEASE_MS, type Nats, RENEWAL_MS } from '../../../relay/cluster/nats.ts';
import { ServerLease } from '../../../relay/cluster/server-lease.ts';

/** A key-value store with revisions. While it is down, it does not answer. */
class FakeStore {
	isDown = false;
	#revision = 0;
	readonly #values = new Map<string, { revision: number; value: string }>();

	async put(key: string, value: string, { previousSeq }: { previousSeq?: number } = {}): Promise<number> {
		if (this.isDown) throw new Error('timeout');
		const revision = this.#values.get(key)?.revision ?? 0;
		if (previousSeq !== undefined && previousSeq !== revision)
			throw Object.assign(new Error('wrong last sequence'), { code: 10071 });
		this.#values.set(key, { revision: ++this.#revision, value });
		return this.#revision;
	}

	async get(key: string) {
		if (this.isDown) throw new Error('timeout');
		const record = this.#values.get(key);
		return record === undefined
			? null
			: { revision: record.revision, operation: 'PUT', json: () => JSON.parse(record.value) as unknown };
	}
}

let store: FakeStore;
const lostWorlds: string[] = [];
const leases: ServerLease[] = [];

async function startServer(name: string): Promise<ServerLease> {
	const lease = new ServerLease({
		nats: { leases: store, worlds: store } as unknown as Nats,
		server: name,
		onLost: (journal) => lostWorlds.push(`${name} lost ${journal}`),
		entriesOf: () => 5,
	});
	await lease.start();
	leases.push(lease);
	return lease;
}

beforeEach(() => {
	vi.useFakeTimers();
	store = new FakeStore();
	lostWorlds.length = 0;
});

afterEach(async () => {
	for (const lease of leases.splice(0)) await lease.close();
	vi.useRealTimers();
});

const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('gives a world to one of two servers that claim it together', async () => {
	const [a, b] = [await startServer('a'), await startServer('b')];
	const taken = await Promise.all([a.acquire('w', undefined), b.acquire('w', undefined)]);
	expect(taken.filter(Boolean).length).toBe(1);
	expect([a.hasValidLease('w'), b.hasValidLease('w')]).toEqual(taken);
});

it('ends the lease of a stopping server, which notices this before it answers again', async () => {
	const [a, b] = [await startServer('a'), await startServer('b')];
	await a.acquire('w', undefined);
	await a.close();
	await passTime(LEASE_MS / 2);
	expect([a.hasValidLease('w'), await b.isOver('a')]).toEqual([true, false]);
	await passTime(LEASE_MS + 2 * RENEWAL_MS);
	expect([a.hasValidLease('w'), await b.isOver('a')]).toEqual([false, true]);
	expect(await b.acquire('w', await b.holderOf('w'))).toBe(true);
	await a.ensureValid();
	expect([a.hasValidLease('w'), b.hasValidLease('w')]).toEqual([false, true]);
	expect(lostWorlds).toEqual(['a lost w']);
});

it('ends no lease while NATS is down, and answers nothing either', async () => {
	const [a, b] = [await startServer('a'), await startServer('b')];
	await a.acquire('w', undefined);
	store.isDown = true;
	await passTime(5 * LEASE_MS);
	expect(a.hasValidLease('w')).toBe(false);
	store.isDown = false;
	await passTime(RENEWAL_MS);
	expect([a.hasValidLease('w'), await b.isOver('a')]).toEqual([true, false]);
	await passTime(LEASE_MS);
	expect([await b.isOver('a'), lostWorlds]).toEqual([false, []]);
});

it('stores the number of entries of a world, and keeps it after the release', async () => {
	const a = await startServer('a');
	await a.acquire('w', undefined);
	a.storeEntriesSoon('w');
	await passTime(RENEWAL_MS);
	expect(await a.holderOf('w')).toMatchObject({ server: 'a', entries: 5 });
	await a.release('w', 6);
	expect(await a.holderOf('w')).toMatchObject({ server: '', entries: 6 });
});
