/**
 * `orrery replay`: re-runs a journal in this process.
 * Owns: the text of the result. The engine re-runs and compares.
 */

import type { Journal } from '../../shared/transport/journal.ts';
import {
	type JournalDifference,
	replayJournal,
	type Verified,
	type VerifyProgress,
	verifyJournal,
} from '../../web/host/journal/verify.ts';
import { openJournalAt } from './journal-at.ts';

export interface ReplayResult extends Verified {
	readonly ok: boolean;
}

/**
 * Re-runs the journal at a path, up to the entry `to` if it is given. With `verify`, it also re-runs from each state
 * to the next. Rejects with a `JournalError`.
 */
export async function replayPath(
	path: string,
	{ verify, to }: { readonly verify: boolean; readonly to: number | undefined },
	progress: VerifyProgress,
): Promise<ReplayResult> {
	const journal: Journal = await openJournalAt(path);
	try {
		const verified = await (verify ? verifyJournal : replayJournal)(journal, { to, progress });
		return { ok: verified.difference === null, ...verified };
	} finally {
		await journal.close();
	}
}

export function replayText({ first, entries, states, worlds, difference }: ReplayResult): string {
	const lines = [
		`Re-ran ${entries} entries, starting with entry ${first}${difference === null ? ': every result matches the journal' : ''}.`,
		...(states === 0 ? [] : [`Stored states that match: ${states}.`]),
		...worlds.map(({ world, tick, state_digest }) => `${world}  tick ${tick}  ${state_digest}`),
		...(difference === null ? [] : differenceLines(difference)),
	];
	return `${lines.join('\n')}\n`;
}

function differenceLines({ message, differs, state, written_by, again }: JournalDifference): string[] {
	if (differs === null) return [message, ...againLines(again)];
	const { spawned, despawned, changed, resources, parts, totals } = differs;
	return [
		message,
		`Differences before entry ${state} (recorded value -> value now):`,
		...spawned.map(({ id }) => `  entity ${id}  not recorded -> exists`),
		...despawned.map(({ id }) => `  entity ${id}  recorded -> does not exist`),
		...changed.flatMap(({ id, fields }) =>
			fields.map(
				({ field, from, to }) => `  entity ${id}  ${field}  ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
			),
		),
		...(totals.changed > changed.length ? [`  and ${totals.changed - changed.length} more entities`] : []),
		...resources.map(({ name }) => `  ${name}`),
		...parts.map((name) => `  ${name}`),
		...writerLines(written_by),
		...againLines(again),
	];
}

function writerLines(writtenBy: JournalDifference['written_by']): string[] {
	const writers = Object.entries(writtenBy).filter(([, systems]) => systems.length > 0);
	if (writers.length === 0) return [];
	return [
		'Systems that write these values in a tick (calls may write them too):',
		...writers.map(([name, systems]) => `  ${name}  ${systems.join(', ')}`),
	];
}

/** Returns the lines about the re-run of the ticks. */
function againLines({ ticks, diverged }: JournalDifference['again']): string[] {
	if (diverged !== null) return [diverged.message];
	if (ticks === 0) return [];
	const subject = ticks === 1 ? 'The tick gives' : `The ${ticks} ticks give`;
	return [
		`${subject} equal results on a fork and on the saved and loaded world. Either another engine wrote this journal, or a call now works differently.`,
	];
}
