/**
 * Changes that can be undone and done again, counted along the journal of a real engine.
 * Owns: the cases of turns.ts.
 */

import { expect, it } from 'vitest';
import type { Answer } from '../../../../shared/contract/route.ts';
import type { getHistory } from '../../../../shared/routes/journal.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { type Turns, turnsAfter, whyNot } from '../../../../web/ui/make/turns.ts';
import { startEngine } from '../../../support/engine.ts';

const NOTHING: Turns = { done: 0, undone: 0, whole: true };

it('says what can be taken back as the engine does, call by call', async () => {
	const { call, engine } = await startEngine({ journal: new MemoryJournal(new JournalMemory()) });
	const me = { 'x-agent': 'you' };
	const send = (method: string, path: string, body: unknown, as = me) =>
		call(method, path, body, { 'content-type': 'application/json', ...as });
	/** Returns which of undo and redo can be pressed, in main and in the fork. */
	const can = async (world: string) => {
		const { body } = await send('GET', `/history?of=${world}&sender=you&limit=1000`, undefined);
		const turns = turnsAfter(NOTHING, (body as Answer<typeof getHistory>).lines, world);
		return [whyNot(turns, false) === null, whyNot(turns, true) === null];
	};
	const turn = (path: string) => send('POST', path, {});

	expect(await can('main')).toEqual([false, false]);
	expect((await turn('/undo')).body.code).toBe('nothing_to_undo');
	await send('POST', '/spawn', { mesh: 'cube' }, { 'x-agent': 'ada' });
	expect(await can('main')).toEqual([false, false]);
	await send('POST', '/spawn', { mesh: 'cube' });
	await send('POST', '/spawn', { mesh: 'sphere' });
	expect(await can('main')).toEqual([true, false]);
	await turn('/undo');
	expect(await can('main')).toEqual([true, true]);
	await turn('/undo');
	expect(await can('main')).toEqual([false, true]);
	expect((await turn('/undo')).body.code).toBe('nothing_to_undo');
	expect(await can('main')).toEqual([false, true]);
	await turn('/redo');
	expect(await can('main')).toEqual([true, true]);
	await send('POST', '/spawn', { mesh: 'cone' });
	expect(await can('main')).toEqual([true, false]);
	expect((await turn('/redo')).body.code).toBe('nothing_to_undo');

	await send('POST', '/fork', { fork_id: 'b' });
	expect(await can('b')).toEqual([false, false]);
	expect((await turn('/undo?world=b')).body.code).toBe('nothing_to_undo');
	await send('POST', '/spawn?world=b', { mesh: 'cone' });
	expect(await can('b')).toEqual([true, false]);
	await turn('/undo?world=b');
	expect(await can('b')).toEqual([false, true]);
	expect(await can('main')).toEqual([true, false]);
	engine.close();
});

it('says nothing is there only where it knows', () => {
	expect(whyNot(null, false)).toBeNull();
	expect(whyNot({ ...NOTHING, whole: false }, false)).toBeNull();
	expect(whyNot({ ...NOTHING, whole: false }, true)).toBeNull();
	expect(whyNot({ done: 1, undone: 0, whole: false }, true)).toMatch(/^Nothing to redo$/);
});
