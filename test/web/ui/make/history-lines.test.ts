/**
 * The lines of a journal as the page lists them.
 * Owns: the cases of history-lines.ts.
 */

import { expect, it } from 'vitest';
import { type Entry, historyLines } from '../../../../web/ui/make/history-lines.ts';

const at = '2026-01-01T00:00:00.000Z';
const call = (entry: number, path: string, worlds: readonly (readonly [string, number])[]): Entry => ({
	entry,
	applied_at: at,
	kind: 'call',
	sender: 'ada/1.0',
	door: 'relay',
	method: 'POST',
	path,
	status: 200,
	worlds: worlds.map(([world, tick]) => ({ world, tick })),
});
const play = (entry: number, tick: number, ticks: number): Entry => ({
	entry,
	applied_at: at,
	kind: 'play',
	worlds: [
		{ world: 'other', tick: 7, ticks: 7 },
		{ world: 'main', tick, ticks },
	],
});
const summaries = (entries: readonly Entry[], world = 'main') =>
	historyLines(entries, world).map(({ entry, tick, words }) => [entry, tick, words]);

it('has the newest line first, and combines consecutive play in one line with its last entry', () => {
	const entries = [
		call(0, '/spawn', [['main', 0]]),
		play(1, 60, 60),
		play(2, 61, 1),
		call(4, '/undo', [['main', 61]]),
		play(5, 70, 9),
	];
	expect(summaries(entries)).toEqual([
		[5, 70, '9 ticks of play'],
		[4, 61, 'POST /undo'],
		[2, 61, '61 ticks of play'],
		[0, 0, 'POST /spawn'],
	]);
	expect(historyLines(entries, 'main').map(({ made }) => made?.sender ?? null)).toEqual([
		null,
		'ada/1.0',
		null,
		'ada/1.0',
	]);
});

it('has the reason of an early end, the entity of a call, and no tick for a call that deleted its world', () => {
	const stopped = { ...call(1, '/step', [['main', 40]]), stopped: 'cancelled' as const };
	const gone = { ...call(2, '/fork/plan', []), method: 'DELETE', deleted: ['plan'] };
	expect(summaries([stopped])).toEqual([[1, 40, 'POST /step, cancelled']]);
	const edit = call(3, '/entities/7/components?world=a', [['main', 40]]);
	const [line] = historyLines([edit], 'main', (id) => (id === 7 ? 'Wren' : undefined));
	expect(line!.words).toBe('POST /entities/7/components?world=a (Wren)');
	expect(summaries([gone], 'plan')).toEqual([[2, null, 'DELETE /fork/plan']]);
});
