/**
 * Times at which the view asks and draws.
 * Owns: rules of `Pacer`, with time given in.
 */

import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../web/render/pacer.ts';

describe('asking', () => {
	test('one request at a time, and no work without an answer and a movement', () => {
		const pacer = new Pacer(false);
		expect(pacer.canRequest(0)).toBe(true);
		pacer.noteStart(0, 'full');
		expect(pacer.isIdle(false)).toBe(false);
		pacer.noteRequest(0);
		expect(pacer.canRequest(60_000)).toBe(false);
		expect(pacer.isIdle(false)).toBe(true);
		expect(pacer.isIdle(true)).toBe(false);
		pacer.noteChange(60_000);
		expect(pacer.isIdle(false)).toBe(false);
		pacer.noteStart(60_000, 'full');
		pacer.noteAnswer();
		expect(pacer.isIdle(false)).toBe(false);
		expect(pacer.canRequest(60_001)).toBe(true);
	});
});

describe('drawing', () => {
	test('without a change, no drawing', () => {
		const pacer = new Pacer(false);
		expect(pacer.chooseQuality(0, false)).toBe('full');
		pacer.noteStart(0, 'full');
		expect(pacer.chooseQuality(16, false)).toBe('nothing');
		expect(pacer.chooseQuality(16, true)).toBe('full');
		pacer.noteChange(20);
		expect(pacer.chooseQuality(21, false)).toBe('full');
	});

	test('software rendering draws seldom and small while moving, once in full at rest', () => {
		const pacer = new Pacer(true);
		pacer.noteChange(0);
		expect(pacer.chooseQuality(0, false)).toBe('live');
		pacer.noteStart(0, 'live');
		pacer.noteCost(100);
		pacer.noteChange(50);
		expect(pacer.chooseQuality(150, false)).toBe('nothing');
		expect(pacer.chooseQuality(200, false)).toBe('live');
		pacer.noteStart(200, 'live');
		expect(pacer.chooseQuality(390, false)).toBe('nothing');
		expect(pacer.chooseQuality(401, false)).toBe('full');
		pacer.noteStart(401, 'full');
		expect(pacer.chooseQuality(2000, false)).toBe('nothing');
	});
});
