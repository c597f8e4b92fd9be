/**
 * Times at which the view asks and draws.
 * Owns: rules of `Pacer`, with time given in.
 */

import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../web/render/pacer.ts';

describe('asking', () => {
	test('one request at a time, and no work without an answer and a movement', () => {
		const pacer = new Pacer(false);
		expect(pacer.mayAsk(0)).toBe(true);
		pacer.begin(0, 'full');
		expect(pacer.isIdle(false)).toBe(false);
		pacer.ask(0);
		expect(pacer.mayAsk(60_000)).toBe(false);
		expect(pacer.isIdle(false)).toBe(true);
		expect(pacer.isIdle(true)).toBe(false);
		pacer.change(60_000);
		expect(pacer.isIdle(false)).toBe(false);
		pacer.begin(60_000, 'full');
		pacer.answer();
		expect(pacer.isIdle(false)).toBe(false);
		expect(pacer.mayAsk(60_001)).toBe(true);
	});
});

describe('drawing', () => {
	test('without a change, no drawing', () => {
		const pacer = new Pacer(false);
		expect(pacer.draw(0, false)).toBe('full');
		pacer.begin(0, 'full');
		expect(pacer.draw(16, false)).toBe('nothing');
		expect(pacer.draw(16, true)).toBe('full');
		pacer.change(20);
		expect(pacer.draw(21, false)).toBe('full');
	});

	test('software rendering draws seldom and small while moving, once in full at rest', () => {
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
