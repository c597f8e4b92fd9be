/**
 * Times at which the view asks and draws.
 * Owns: rules of `Pacer`, with time given in.
 */

import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../web/render/pacer.ts';

function calm(pacer: Pacer, from: number): number {
	let now = from;
	for (let times = 0; times < 8; times++) {
		pacer.ask(now);
		pacer.answer(true);
		now += 100;
	}
	return now;
}

describe('asking', () => {
	test('one question at a time', () => {
		const pacer = new Pacer(false);
		expect(pacer.mayAsk(0)).toBe(true);
		pacer.ask(0);
		expect(pacer.mayAsk(1000)).toBe(false);
		expect(pacer.overdue(1000, 500)).toBe(true);
		pacer.answer(false);
		expect(pacer.mayAsk(1000)).toBe(true);
	});

	test('a calm world is asked four times a second, until something happens', () => {
		const pacer = new Pacer(false);
		pacer.begin(0, 'full');
		const now = calm(pacer, 0);
		expect(pacer.idle(false)).toBe(true);
		expect(pacer.mayAsk(now)).toBe(false);
		expect(pacer.rest(now)).toBe(150);
		expect(pacer.mayAsk(now + 150)).toBe(true);
		pacer.ask(now + 150);
		pacer.answer(false);
		expect(pacer.mayAsk(now + 151)).toBe(true);
	});
});

describe('drawing', () => {
	test('nothing changed, nothing drawn', () => {
		const pacer = new Pacer(false);
		expect(pacer.draw(0, false)).toBe('full');
		pacer.begin(0, 'full');
		expect(pacer.draw(16, false)).toBe('nothing');
		expect(pacer.draw(16, true)).toBe('full');
		pacer.change(20);
		expect(pacer.draw(21, false)).toBe('full');
	});

	test('where a processor draws: seldom and small while moving, once in full when at rest', () => {
		const pacer = new Pacer(true);
		pacer.change(0);
		expect(pacer.draw(0, false)).toBe('live');
		pacer.begin(0, 'live');
		pacer.cost(100);
		pacer.change(50);
		expect(pacer.draw(150, false)).toBe('nothing');
		expect(pacer.draw(200, false)).toBe('live');
		pacer.begin(200, 'live');
		expect(pacer.draw(390, false)).toBe('nothing');
		expect(pacer.draw(401, false)).toBe('full');
		pacer.begin(401, 'full');
		expect(pacer.draw(2000, false)).toBe('nothing');
	});
});
