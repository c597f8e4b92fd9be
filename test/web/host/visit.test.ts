/** A page that visits a world sends its inputs in order, and other calls beside each other. */

import { afterEach, expect, test, vi } from 'vitest';
import { fetchHandle } from '../../../web/host/visit.ts';
import { requestOf } from '../../support/engine.ts';

afterEach(() => void vi.unstubAllGlobals());

test('calls of devices wait for each other, even after one that failed, and other calls do not', async () => {
	const sent: { path: string; answer: (response?: Response) => void }[] = [];
	vi.stubGlobal('fetch', (path: string) => {
		const { promise, resolve, reject } = Promise.withResolvers<Response>();
		sent.push({ path, answer: (response) => (response ? resolve(response) : reject(new Error('gone'))) });
		return promise;
	});
	const calls = ['/input/press', '/input/release', '/observe', '/input/axis'].map((path) =>
		fetchHandle(requestOf('POST', path)),
	);
	const paths = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		return sent.map(({ path }) => path);
	};
	expect(await paths()).toEqual(['./observe', './input/press']);
	sent[1]!.answer();
	await expect(calls[0]).rejects.toThrow('gone');
	expect((await paths()).slice(2)).toEqual(['./input/release']);
	sent[2]!.answer(new Response('{}'));
	await calls[1];
	expect((await paths()).slice(3)).toEqual(['./input/axis']);
});
