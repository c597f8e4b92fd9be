/**
 * The counts of changes for undo and redo, from the journal of a real engine.
 * Owns: the cases of turns.ts.
 */

import { expect, it } from 'vitest';
import type { Answer } from '../../../../shared/contract/route.ts';
import type { getHistory } from '../../../../shared/routes/journal.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { type Turns, turnsAfter, whyNot } from '../../../../web/ui/make/turns.ts';
import { startEngine } from '../../../support/engine.ts';

const NOTHING: Turns = { done: 0, undone: 0, whole: true };

it('allows undo and redo exactly when the engine does, after each call', async () => {
	const { call, engine } = await startEngine({ journal: new MemoryJournal(new JournalMemory()) });
	const me = { 'x-agent': 'you' };
	const send = (method: string, path: string, body: unknown, as = me) =>
		call(method, path, body, { 'content-type': 'application/json', ...as });
	/** Returns which of undo and redo can be pressed, in main and in the fork. */
	const allowed = async (world: string) => {
		const { body } = await send('GET', `/history?of=${world}&sender=you&limit=1000`, undefined);
		const turns = turnsAfter(NOTHING, (body as Answer<typeof getHistory>).lines, world);
		return [whyNot(turns, false) === null, whyNot(turns, true) === null];
	};
	const undoOrRedo = (path: string) => send('POST', path, {});

	expect(await allowed('main')).toEqual([false, false]);
	expect((await undoOrRedo('/undo')).body.code).toBe('nothing_to_undo');
	await send('POST', '/spawn', { mesh: 'cube' }, { 'x-agent': 'ada' });
	expect(await allowed('main')).toEqual([false, false]);
	await send('POST', '/spawn', { mesh: 'cube' });
	await send('POST', '/spawn', { mesh: 'sphere' });
	expect(await allowed('main')).toEqual([true, false]);
	await undoOrRedo('/undo');
	expect(await allowed('main')).toEqual([true, true]);
	await undoOrRedo('/undo');
	expect(await allowed('main')).toEqual([false, true]);
	expect((await undoOrRedo('/undo')).body.code).toBe('nothing_to_undo');
	expect(await allowed('main')).toEqual([false, true]);
	await undoOrRedo('/redo');
	expect(await allowed('main')).toEqual([true, true]);
	await send('POST', '/spawn', { mesh: 'cone' });
	expect(await allowed('main')).toEqual([true, false]);
	expect((await undoOrRedo('/redo')).body.code).toBe('nothing_to_undo');

	await send('POST', '/fork', { fork_id: 'b' });
	expect(await allowed('b')).toEqual([false, false]);
	expect((await undoOrRedo('/undo?world=b')).body.code).toBe('nothing_to_undo');
	await send('POST', '/spawn?world=b', { mesh: 'cone' });
	expect(await allowed('b')).toEqual([true, false]);
	await undoOrRedo('/undo?world=b');
	expect(await allowed('b')).toEqual([false, true]);
	expect(await allowed('main')).toEqual([true, false]);
	engine.close();
});

it('refuses undo or redo only if the history is known', () => {
	expect(whyNot(null, false)).toBeNull();
	expect(whyNot({ ...NOTHING, whole: false }, false)).toBeNull();
	expect(whyNot({ ...NOTHING, whole: false }, true)).toBeNull();
	expect(whyNot({ done: 1, undone: 0, whole: false }, true)).toMatch(/^Nothing to redo$/);
});
