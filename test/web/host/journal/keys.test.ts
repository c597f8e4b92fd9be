/** Answers by their keys: a call is done once also when there is no room for its answer any more. */

import { expect, test } from 'vitest';
import { ApiError } from '../../../../shared/contract/errors.ts';
import { KEPT_MS, type KeptAnswer, Keys } from '../../../../web/host/journal/keys.ts';

const MIB = 1024 * 1024;

const answer = (key: string, bytes: number, at = 0): KeptAnswer => ({
	key,
	request: `POST /spawn? 2 ${key}`,
	status: 200,
	headers: {},
	body: new Uint8Array(bytes),
	at,
	entry: 7,
	world: 'main',
	tick: 3,
	digest: '0123456789abcdef',
});

const never = (): Promise<never> => Promise.reject(new Error('It was done again.'));

/** What comes of sending a call again. */
async function again(keys: Keys, key: string, request = `POST /spawn? 2 ${key}`): Promise<unknown> {
	return keys.once(key, request, never).catch((error: unknown) => error);
}

test('the oldest lose their bodies where all take too much, and are still known to have been done', async () => {
	let now = 0;
	const keys = new Keys(() => now);
	for (let i = 0; i < 2000; i++) keys.keep(answer(`small-${i}`, 100));
	for (let i = 0; i < 40; i++) keys.keep(answer(`large-${i}`, 4 * MIB));
	const restored = new Keys(() => now, keys.all());
	for (const one of [keys, restored]) {
		expect(one.all().reduce((sum, page) => sum + page.length, 0)).toBeLessThan(70 * MIB);
		for (const key of ['small-0', 'small-1999', 'large-3']) {
			const refused = await again(one, key);
			expect(refused).toBeInstanceOf(ApiError);
			expect(refused).toMatchObject({
				code: 'answer_gone',
				details: { applied: true, entry: 7 },
			});
			expect(one.look(key)).toMatchObject({ entry: 7, tick: 3 });
		}
		expect(await again(one, 'large-39')).toMatchObject({ again: { status: 200 } });
		expect(await again(one, 'small-0', 'POST /step? 2 x')).toMatchObject({ code: 'bad_key' });
	}
	now = KEPT_MS + 1;
	expect(keys.look('small-0')).toBeUndefined();
	keys.keep(answer('new', 100, now));
	expect(keys.look('new')).toBeDefined();
});

test('answers of one agent make no room by dropping those of another, also after a restart', async () => {
	const now = 0;
	const keys = new Keys(() => now);
	keys.keep(answer('ada first', 1000));
	keys.keep(answer('alone', 1000));
	for (let i = 0; i < 60; i++) keys.keep(answer(`bob the builder ${i}`, 2 * MIB));
	for (let i = 0; i < 10_500; i++) keys.keep(answer(`bob the builder small-${i}`, 10));
	const restored = new Keys(() => now, keys.all());
	for (const one of [keys, restored]) {
		expect(await again(one, 'ada first')).toMatchObject({ again: { status: 200 } });
		expect(await again(one, 'alone')).toMatchObject({ again: { status: 200 } });
		expect(await again(one, 'bob the builder small-10499')).toMatchObject({ again: { status: 200 } });
		expect(one.all().reduce((sum, page) => sum + page.length, 0)).toBeLessThan(12 * MIB);
	}
});
