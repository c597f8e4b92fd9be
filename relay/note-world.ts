/**
 * Where the world stands, noted for the list of worlds at a start and at an end: in between its engine does that, but a second late.
 * Owns: how long a start and an end wait for the engine. A note that fails is reported; the journal is what counts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { CallError, createClient } from '../shared/contract/client.ts';
import { STATUS_PATH } from '../shared/contract/relay-paths.ts';
import type { Answer } from '../shared/contract/route.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import type { getStatus } from '../shared/routes/world.ts';
import type { WorldNotes } from './journal/world-folders.ts';

/** Milliseconds that an end waits. An engine that ticks has noted it a moment ago. */
const END_WAIT = 1000;

type Status = Answer<typeof getStatus>;

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
		say(`The tick could not be stored for the list of worlds: ${(error as Error).message}`);
	});
}

/** Asks the engine where its world stands, and notes it if it answers soon. */
export async function noteEnd(
	notes: Pick<WorldNotes, 'noteNew'>,
	call: CallHandler,
	say: (sentence: string) => void,
	most = END_WAIT,
): Promise<void> {
	const answered = statusOf(call).catch((error: unknown) => {
		say(`The state of the world could not be read for the list of worlds: ${(error as Error).message}`);
	});
	const status = await Promise.race([answered, wait(most, undefined, { ref: false })]);
	if (status !== undefined) await noteWorld(notes, status, say);
}

/** Asks for the status until the world answers. Without a tab the relay itself says so every few seconds; that is waited out. */
export async function firstStatus(call: CallHandler): Promise<Status> {
	for (;;) {
		try {
			return await statusOf(call);
		} catch (error) {
			if (!(error instanceof CallError)) throw error;
			const { status, body } = error;
			if (body.code !== 'no_engine' && body.code !== 'engine_lost')
				throw new Error(`The engine refused its first call with status ${status}: ${body.error}`);
		}
	}
}

/** Asks for the status. Rejects with `CallError` when it is refused. */
async function statusOf(call: CallHandler): Promise<Status> {
	const client = createClient(call, { 'user-agent': 'orrery relay' });
	const { status, body } = await client.send({ method: 'GET', path: STATUS_PATH });
	const answer = JSON.parse(Buffer.from(body).toString());
	if (status >= 400) throw new CallError(status, answer);
	return answer;
}
