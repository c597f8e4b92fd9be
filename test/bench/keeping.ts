/**
 * Cost of a journal: a step through the relay with a stored one and one in memory, and re-running an hour of the arena.
 * Owns: the two relays.
 */

import { ensureBuilt } from '../../relay/build.ts';
import { JournalMemory, MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { createEngine } from '../../web/host/engine.ts';
import { digest } from '../../web/sim/core/digest.ts';
import { startOrrery } from '../behaviour/browser/start.ts';
import { clientOf } from '../support/engine.ts';
import { openScene } from '../support/scenes.ts';
import { measureInTurnAsync, percentile, type Result, ratioResult } from './measure.ts';
import { createClient } from './round-trip.ts';

const CALLS = 2000;
/** Number of ticks in an hour of play. */
const HOUR = 216_000;
/** Only 1 / SHARE of an hour is played, because all ticks cost about the same. */
const SHARE = 12;
/** Number of ticks in one call. */
const STEPS = 600;

export async function benchJournal(): Promise<Result[]> {
	return [...(await roundTrips()), ...(await hourAgain()), await eventsAgain()];
}

async function roundTrips(): Promise<Result[]> {
	// The server would otherwise build the page within the time of its start.
	await ensureBuilt();
	const kept = await startOrrery(['--headless']);
	const unkept = await startOrrery(['--headless', '--memory']);
	try {
		const sides = [kept, unkept].map(({ url }) => ({
			run: createClient(url, 'POST', '/step', '{"ticks":1}'),
		}));
		const [ours, theirs] = (await measureInTurnAsync(CALLS, sides)) as [number[], number[]];
		return [0.5, 0.99].map((q) =>
			ratioResult(
				'journal',
				`a step through the relay with a stored journal, p${q * 100}`,
				percentile(ours, q),
				'with one in memory',
				percentile(theirs, q),
				q === 0.5 ? 1.15 : undefined,
			),
		);
	} finally {
		await Promise.all([kept.stop(), unkept.stop()]);
	}
}

/** Measures re-running a journal from its beginning, without stored states. */
async function hourAgain(): Promise<Result[]> {
	const memory = new JournalMemory();
	const whole = { entries: Infinity, bytes: Infinity, ticks: Infinity };
	const engine = await openScene('arena', 1, { journal: new MemoryJournal(memory), stateEvery: whole });
	const { post } = clientOf(engine.handle);
	const before = memory.bytes;
	let began = performance.now();
	for (let count = 0; count < HOUR / SHARE; count += STEPS) await post('/step', { ticks: STEPS });
	const played = performance.now() - began;
	const { world } = engine.worlds.main;
	await engine.close();
	began = performance.now();
	const again = await createEngine({ journal: new MemoryJournal(memory), moment: { entry: memory.next } });
	const replayed = performance.now() - began;
	if (digest(again.worlds.main.world) !== digest(world))
		throw new Error('The re-run of the arena has another digest.');
	const rate = Math.round((HOUR / SHARE / replayed) * 1000);
	const bytes = Math.round(((memory.bytes - before) * SHARE) / 1024);
	const note = `an hour of play in ${Math.round((replayed * SHARE) / 1000)} s, ${rate} ticks a second; its entries take ${bytes} KiB`;
	return [
		ratioResult(
			'journal',
			`${60 / SHARE} minutes of the arena made again`,
			replayed,
			'playing them',
			played,
			1.2,
			note,
		),
	];
}

/** Number of ticks whose events are read from the journal. */
const PAST = 1200;

/** Measures reading events of the past, which re-runs the ticks, compared with the original calls. */
async function eventsAgain(): Promise<Result> {
	const engine = await openScene('arena', 1, { journal: new MemoryJournal(new JournalMemory()) });
	const { post, get } = clientOf(engine.handle);
	let began = performance.now();
	for (let made = 0; made < PAST; made += STEPS) await post('/step', { ticks: STEPS });
	const played = performance.now() - began;
	began = performance.now();
	const { finished } = await get('/history/events?events=death&fields=gold&filter=role:hero');
	const read = performance.now() - began;
	await engine.close();
	if (finished !== true) throw new Error('The past of the arena was not read to its end.');
	return ratioResult('journal', `events of ${PAST} ticks of the past`, read, 'making these ticks', played, 2);
}
