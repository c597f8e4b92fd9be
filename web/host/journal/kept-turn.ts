/**
 * A call's turn.
 * Owns: what is recorded while a call is applied, and whether it is written down.
 */

import type { Change, Done } from '../dispatch.ts';
import type { Outside } from '../outside.ts';
import type { Worlds } from '../worlds.ts';
import { playingOf } from './changes.ts';
import { Recording, RoomsAsked } from './recording.ts';
import type { Applied, Scribe, Written } from './scribe.ts';

export interface KeptTurn extends Omit<Applied, 'change' | 'done' | 'recording' | 'rooms'> {
	readonly change: Change;
	/** It is done while another call is at work, and waits for no turn. */
	readonly overtakes: boolean;
	readonly outside: Outside;
}

/** Applies a call and writes down what it did; nothing is written where it changed nothing. */
export async function keepTurn(
	scribe: Scribe,
	worlds: Worlds,
	{ overtakes, outside, ...turn }: KeptTurn,
): Promise<{ readonly done: Done; readonly written: Written | undefined }> {
	const { change, key } = turn;
	const recording = new Recording(outside);
	const rooms = new RoomsAsked();
	const playing = overtakes ? JSON.stringify(playingOf(worlds)) : '';
	if (!overtakes) worlds.rooms = rooms;
	let done: Done;
	try {
		done = await change.apply(change.host.from(recording));
	} finally {
		if (!overtakes) worlds.rooms = null;
	}
	const applied: Applied = { ...turn, done, recording, rooms };
	const same = overtakes && key === undefined && playing === JSON.stringify(playingOf(worlds));
	const written = same ? undefined : await (overtakes ? scribe.overtook(applied) : scribe.end(applied));
	return { done, written };
}
