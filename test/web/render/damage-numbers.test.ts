/** Damage numbers in a picture: they follow from its moments and its tick. */

import { expect, test } from 'vitest';
import { type FeedbackMoment, MOMENT_TICKS, type MomentKind } from '../../../shared/documents/feedback.ts';
import { numbersAt } from '../../../web/render/sync/damage-numbers.ts';

let count = 0;
const moment = (tick: number, id: number, amount: number, kind: MomentKind = 'hurt'): FeedbackMoment => ({
	kind,
	tick,
	number: count++,
	entity: { id, generation: 0 },
	place: [id, 0, 0],
	size: 1,
	team: null,
	color: null,
	amount,
	share: amount / 100,
	shooter: null,
});
const shown = (moments: readonly FeedbackMoment[], now: number) =>
	numbersAt(moments, now).map(({ place: [id], amount, tick }) => ({ id, amount, tick }));

test('hits on one entity in quick succession are one number, and others stay separate', () => {
	const moments = [
		moment(10, 1, 5),
		moment(10, 2, 7),
		moment(14, 1, 5),
		moment(14, 3, 1, 'death'),
		moment(40, 1, 9),
	];
	expect(shown(moments, 41)).toEqual([
		{ id: 1, amount: 10, tick: 10 },
		{ id: 2, amount: 7, tick: 10 },
		{ id: 1, amount: 9, tick: 40 },
	]);
});

test('a time between two ticks shows the hits so far, without ended ones', () => {
	const moments = [moment(10, 1, 5), moment(14, 1, 6)];
	expect(shown(moments, 9.5)).toEqual([]);
	expect(shown(moments, 13.5)).toEqual([{ id: 1, amount: 5, tick: 10 }]);
	expect(shown(moments, 14)).toEqual([{ id: 1, amount: 11, tick: 10 }]);
	expect(shown(moments, 14 + MOMENT_TICKS.hurt)).toEqual([]);
});

test('a number that rounds to nothing is not shown, unless it adds up', () => {
	expect(shown([moment(1, 1, 0.3)], 2)).toEqual([]);
	expect(shown([moment(1, 1, 0.3), moment(2, 1, 0.3)], 2)).toEqual([{ id: 1, amount: 0.6, tick: 1 }]);
});
