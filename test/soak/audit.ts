/**
 * Audit that every acknowledged write is there, once, at the end.
 * Owns: comparing the world with the clients' answers, and the journal with acknowledged writes.
 */

import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseJournal } from '../../relay/journal/database-journal.ts';
import { decodeEntry } from '../../shared/transport/journal-entry.ts';
import { createEngine } from '../../web/host/engine.ts';
import { verifyJournal } from '../../web/host/journal/verify.ts';
import { digest } from '../../web/sim/core/digest.ts';
import { SoakCaller } from './caller.ts';
import { HEALTH, type SoakClient } from './client.ts';
import type { SoakTally } from './tally.ts';

const PAGE_BYTES = 4 * 1024 * 1024;
const TAG = /^c-\d+-\d+$/;

interface Seen {
	readonly health?: readonly [number, number];
	readonly tags?: readonly string[];
}

/**
 * Checks that things that clients made are as their answers say, and that removed ones are gone. Returns the digest
 * of each world.
 */
export async function auditWorld(
	url: string,
	clients: readonly SoakClient[],
	tally: SoakTally,
): Promise<ReadonlyMap<string, string>> {
	const caller = new SoakCaller(url, 'audit-0', tally);
	await caller.write('POST', '/pause');
	// Damage is done on the next tick.
	await caller.write('POST', '/step', { ticks: 1 });
	const entities = ((await caller.read('POST', '/observe', {}))?.entities ?? []) as readonly Seen[];
	const byTag = new Map<string, Seen[]>();
	for (const entity of entities)
		for (const tag of entity.tags ?? [])
			if (TAG.test(tag)) byTag.set(tag, [...(byTag.get(tag) ?? []), entity]);
	for (const { own, removed } of clients) {
		for (const { tag, damage } of own) {
			const seen = byTag.get(tag) ?? [];
			tally.check(seen.length > 0, 'lost', () => `${tag} was spawned and is not there.`);
			tally.check(seen.length < 2, 'doubled', () => `${tag} is there ${seen.length} times.`);
			const done = HEALTH - (seen[0]?.health?.[0] ?? HEALTH - damage);
			const said = (): string => `${tag} was damaged by ${damage} and has lost ${done}.`;
			tally.check(done >= damage, 'lost', said);
			tally.check(done <= damage, 'doubled', said);
		}
		for (const tag of removed)
			tally.check(!byTag.has(tag), 'lost', () => `${tag} was removed and is there again.`);
	}
	const owned = new Set(clients.flatMap(({ own, unknown }) => [...own.map(({ tag }) => tag), ...unknown]));
	for (const tag of byTag.keys())
		tally.check(owned.has(tag), 'doubled', () => `${tag} is there, and nobody's.`);
	auditSteps(tally);
	return auditForks(caller, clients, tally);
}

/** No two calls made the same tick. */
function auditSteps(tally: SoakTally): void {
	const steps = [...tally.steps].sort((a, b) => a.from - b.from);
	for (const [i, { from, key }] of steps.entries()) {
		const before = steps[i - 1];
		tally.check(
			before === undefined || before.to <= from,
			'lost',
			() => `${before!.key} came to tick ${before!.to}, and ${key} went on from tick ${from}.`,
		);
	}
}

async function auditForks(
	caller: SoakCaller,
	clients: readonly SoakClient[],
	tally: SoakTally,
): Promise<ReadonlyMap<string, string>> {
	const there = ((await caller.read('GET', '/fork/list'))?.forks ?? []) as readonly string[];
	for (const { deleted } of clients)
		for (const id of deleted)
			tally.check(!there.includes(id), 'lost', () => `${id} was deleted and is there.`);
	for (const client of clients) {
		const { fork } = client;
		if (fork === undefined) continue;
		tally.check(there.includes(fork.id), 'lost', () => `The fork ${fork.id} is not there.`);
		if (there.includes(fork.id)) await client.checkFork();
	}
	const digests = new Map<string, string>();
	for (const id of ['main', ...there])
		digests.set(id, String((await caller.read('GET', `/digest?world=${id}`))?.state_digest));
	return digests;
}

export interface AuditedJournal {
	readonly entries: number;
	readonly bytes: number;
	/** Milliseconds that Node took for what comes after the newest state. */
	readonly replayed: number;
	/** States that were compared with what comes before them; undefined if none were. */
	readonly verified: number | undefined;
}

/** Each acknowledged write is in the journal, once, and Node rebuilds equal worlds from it. The relay has ended. */
export async function auditJournal(
	data: string,
	digests: ReadonlyMap<string, string>,
	verify: boolean,
	tally: SoakTally,
): Promise<AuditedJournal> {
	const journal = await DatabaseJournal.open(await journalIn(data));
	try {
		const { next, bytes } = await journal.extent();
		await auditKeys(journal, tally);
		const began = performance.now();
		const engine = await createEngine({ journal, moment: { entry: next } });
		const replayed = performance.now() - began;
		for (const [id, then] of digests) {
			const world = engine.worlds.find(id)?.world;
			const now = world === undefined ? 'gone' : digest(world);
			tally.check(now === then, 'lost', () => `In the browser ${id} is ${then}, and in Node it is ${now}.`);
		}
		let verified: number | undefined;
		if (verify) {
			const { states, difference } = await verifyJournal(journal);
			verified = states;
			if (difference !== null)
				tally.errors.push(`The journal does not come out as it did: ${difference.message}`);
		}
		return { entries: next, bytes, replayed, verified };
	} finally {
		await journal.close();
	}
}

async function auditKeys(journal: DatabaseJournal, tally: SoakTally): Promise<void> {
	const { first } = await journal.extent();
	const times = new Map<string, number>();
	for (let at = first; ; ) {
		const page = await journal.read(at, PAGE_BYTES);
		if (page.length === 0) break;
		for (const { head } of page.map(decodeEntry))
			if (head.kind === 'call' && head.key !== undefined) times.set(head.key, (times.get(head.key) ?? 0) + 1);
		at += page.length;
	}
	for (const [key, often] of times)
		tally.check(often === 1, 'doubled', () => `The journal has ${key} ${often} times.`);
	// A journal that was cut does not show what was before.
	if (first > 0) return;
	for (const [key, { name }] of tally.acknowledged)
		tally.check(
			times.has(key),
			'lost',
			() => `${name} (${key}) was acknowledged, and the journal does not have it.`,
		);
}

/** Returns the one world that a data folder has. */
async function journalIn(data: string): Promise<string> {
	const folder = join(data, '.orrery-worlds');
	const worlds = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
	if (worlds.length !== 1)
		throw new Error(`There are ${worlds.length} worlds in "${basename(data)}", not one.`);
	return join(folder, worlds[0]!.name);
}
