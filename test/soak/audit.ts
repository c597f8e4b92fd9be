/**
 * Checks at the end that every acknowledged write was applied exactly once.
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
const CLIENT_TAG = /^c-\d+-\d+$/;

interface ObservedEntity {
	readonly health?: readonly [number, number];
	readonly tags?: readonly string[];
}

/**
 * Checks that entities match the answers to their clients, and that removed entities no longer exist. Returns the digest of
 * each world.
 */
export async function auditWorld(
	url: string,
	clients: readonly SoakClient[],
	tally: SoakTally,
): Promise<ReadonlyMap<string, string>> {
	const caller = new SoakCaller(url, 'audit-0', tally);
	await caller.write('POST', '/pause');
	// Damage applies on the next tick.
	await caller.write('POST', '/step', { ticks: 1 });
	const entities = ((await caller.read('POST', '/observe', {}))?.entities ?? []) as readonly ObservedEntity[];
	const byTag = new Map<string, ObservedEntity[]>();
	for (const entity of entities)
		for (const tag of entity.tags ?? [])
			if (CLIENT_TAG.test(tag)) byTag.set(tag, [...(byTag.get(tag) ?? []), entity]);
	for (const { entities: ownEntities, removedTags } of clients) {
		for (const { tag, damage } of ownEntities) {
			const tagged = byTag.get(tag) ?? [];
			tally.check(tagged.length > 0, 'lost', () => `${tag} was spawned and is missing.`);
			tally.check(tagged.length < 2, 'doubled', () => `${tag} exists ${tagged.length} times.`);
			const lostHealth = HEALTH - (tagged[0]?.health?.[0] ?? HEALTH - damage);
			const describeLoss = (): string => `${tag} was damaged by ${damage} and has lost ${lostHealth}.`;
			tally.check(lostHealth >= damage, 'lost', describeLoss);
			tally.check(lostHealth <= damage, 'doubled', describeLoss);
		}
		for (const tag of removedTags)
			tally.check(!byTag.has(tag), 'lost', () => `${tag} was removed and still exists.`);
	}
	const knownTags = new Set(
		clients.flatMap(({ entities, unknownTags }) => [...entities.map(({ tag }) => tag), ...unknownTags]),
	);
	for (const tag of byTag.keys())
		tally.check(knownTags.has(tag), 'doubled', () => `${tag} exists, but no client spawned it.`);
	auditSteps(tally);
	return auditForks(caller, clients, tally);
}

/** Checks that no two calls ran the same tick. */
function auditSteps(tally: SoakTally): void {
	const steps = [...tally.steps].sort((a, b) => a.from - b.from);
	for (const [i, { from, key }] of steps.entries()) {
		const previous = steps[i - 1];
		tally.check(
			previous === undefined || previous.to <= from,
			'lost',
			() => `${previous!.key} ended at tick ${previous!.to}, but ${key} continued from tick ${from}.`,
		);
	}
}

async function auditForks(
	caller: SoakCaller,
	clients: readonly SoakClient[],
	tally: SoakTally,
): Promise<ReadonlyMap<string, string>> {
	const forkIds = ((await caller.read('GET', '/fork/list'))?.forks ?? []) as readonly string[];
	for (const { deletedForks } of clients)
		for (const id of deletedForks)
			tally.check(!forkIds.includes(id), 'lost', () => `${id} was deleted and still exists.`);
	for (const client of clients) {
		const { fork } = client;
		if (fork === undefined) continue;
		tally.check(forkIds.includes(fork.id), 'lost', () => `The fork ${fork.id} is missing.`);
		if (forkIds.includes(fork.id)) await client.checkFork();
	}
	const digests = new Map<string, string>();
	for (const id of ['main', ...forkIds])
		digests.set(id, String((await caller.read('GET', `/digest?world=${id}`))?.state_digest));
	return digests;
}

export interface AuditedJournal {
	readonly entries: number;
	readonly bytes: number;
	/** Time that Node took to run the entries after the newest state (ms). */
	readonly replayMs: number;
	/** Number of states that were compared with a re-run; undefined without `--verify`. */
	readonly comparedStates: number | undefined;
}

/**
 * Checks that each acknowledged write is in the journal once, and that Node rebuilds equal worlds from it. The relay must
 * have ended.
 */
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
		const startTime = performance.now();
		const engine = await createEngine({ journal, moment: { entry: next } });
		const replayMs = performance.now() - startTime;
		for (const [id, expectedDigest] of digests) {
			const world = engine.worlds.find(id)?.world;
			const actualDigest = world === undefined ? 'gone' : digest(world);
			tally.check(
				actualDigest === expectedDigest,
				'lost',
				() => `In the browser ${id} is ${expectedDigest}, and in Node it is ${actualDigest}.`,
			);
		}
		let comparedStates: number | undefined;
		if (verify) {
			const { states, difference } = await verifyJournal(journal);
			comparedStates = states;
			if (difference !== null) tally.errors.push(`The re-run of the journal differs: ${difference.message}`);
		}
		return { entries: next, bytes, replayMs, comparedStates };
	} finally {
		await journal.close();
	}
}

async function auditKeys(journal: DatabaseJournal, tally: SoakTally): Promise<void> {
	const { first } = await journal.extent();
	const countByKey = new Map<string, number>();
	for (let entry = first; ; ) {
		const page = await journal.read(entry, PAGE_BYTES);
		if (page.length === 0) break;
		for (const { head } of page.map(decodeEntry))
			if (head.kind === 'call' && head.key !== undefined)
				countByKey.set(head.key, (countByKey.get(head.key) ?? 0) + 1);
		entry += page.length;
	}
	for (const [key, count] of countByKey)
		tally.check(count === 1, 'doubled', () => `The journal has ${key} ${count} times.`);
	// A trimmed journal lacks its first entries.
	if (first > 0) return;
	for (const [key, { name }] of tally.acknowledged)
		tally.check(
			countByKey.has(key),
			'lost',
			() => `${name} (${key}) was acknowledged, and the journal does not have it.`,
		);
}

/** Returns the folder of the only world in a data folder. */
async function journalIn(data: string): Promise<string> {
	const folder = join(data, '.orrery-worlds');
	const worlds = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
	if (worlds.length !== 1)
		throw new Error(`There are ${worlds.length} worlds in "${basename(data)}", not one.`);
	return join(folder, worlds[0]!.name);
}
