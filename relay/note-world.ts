/**
 * Where the world stands, noted for the list of worlds at a start and at an end: in between its engine does that, but a second late.
 * Owns: how long an end waits for the engine. Never: rejects; the journal is what counts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../shared/contract/client.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import { getStatus } from '../shared/routes/world.ts';
import type { WorldNotes } from './journal/world-folders.ts';

/** Milliseconds that an end waits. An engine that ticks has noted it a moment ago. */
const END_WAIT = 1000;

/** What the status says of a world. */
export interface Standing {
	readonly world_name: string;
	readonly tick: number;
}

/** Notes it, unless it was noted last; what keeps it from being noted is said through `say`. */
export async function noteWorld(
	notes: Pick<WorldNotes, 'noteNew'>,
	{ world_name, tick }: Standing,
	say: (sentence: string) => void,
): Promise<void> {
	await notes.noteNew(world_name, tick).catch((error: unknown) => {
		say(`The tick could not be noted for the list of worlds: ${(error as Error).message}`);
	});
}

/** Asks the engine where its world stands, and notes it if it answers soon. */
export async function noteEnd(
	notes: Pick<WorldNotes, 'noteNew'>,
	call: CallHandler,
	say: (sentence: string) => void,
	most = END_WAIT,
): Promise<void> {
	const answered = createClient(call, { 'user-agent': 'orrery relay' })
		.call(getStatus)
		.catch((error: unknown) => {
			say(`The state of the world could not be read for the list of worlds: ${(error as Error).message}`);
		});
	const status = await Promise.race([answered, wait(most, undefined, { ref: false })]);
	if (status !== undefined) await noteWorld(notes, status, say);
}
