/**
 * Refusals of calls, and the world in a path.
 * Owns: the cases of state/ask.ts and of a number field's errors.
 */

import { expect, it } from 'vitest';
import { errorOf } from '../../../../web/ui/controls/number-field.tsx';
import { ask, inWorld, refusalIn } from '../../../../web/ui/state/ask.ts';

it('reads a refusal from any failed answer', () => {
	const body = {
		ok: false,
		error: 'e',
		message: 'team is 0 to 255, got 256.',
		code: 'invalid_body',
		fix: 'Send 2.',
	};
	expect(refusalIn(422, body)).toEqual({
		sentence: 'team is 0 to 255, got 256.',
		fix: 'Send 2.',
		code: 'invalid_body',
	});
	expect(refusalIn(200, body)?.fix).toBe('Send 2.');
	expect(refusalIn(200, { ok: true })).toBeNull();
	expect(refusalIn(200, { id: 3, generation: 0 })).toBeNull();
	expect(refusalIn(502, 'bad gateway')).toEqual({ sentence: 'The engine answered 502.', fix: '' });
});

it('turns a lost engine into a refusal', async () => {
	const call = () => Promise.reject(new Error('the port is closed'));
	const outcome = await ask({ call }, 'GET', '/');
	expect(outcome).toMatchObject({
		ok: false,
		refusal: { sentence: 'The engine did not answer: the port is closed' },
	});
});

it('chooses a world by the query', () => {
	expect(inWorld('/observe', 'main')).toBe('/observe');
	expect(inWorld('/observe', 'a&b')).toBe('/observe?world=a%26b');
	expect(inWorld('/observe?viewer=0', 'plan')).toBe('/observe?viewer=0&world=plan');
});

it('reports the range and the stored value', () => {
	const props = { name: 'range', value: 7, unit: 'm', min: 0, max: 100, commit: async () => null };
	expect(errorOf('-7', props)).toBe('Range is 0 to 100 m. Kept at 7 m.');
	expect(errorOf('seven', props)).toBe('"seven" is not a number. Kept at 7 m.');
	expect(errorOf('12', props)).toBeNull();
	expect(errorOf('1.5', { ...props, whole: true })).toBe('"1.5" is not a whole number. Kept at 7 m.');
	expect(errorOf('-1', { ...props, max: undefined })).toBe('At least 0 m. Kept at 7 m.');
});
