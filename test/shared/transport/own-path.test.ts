/** A path that is joined to an address leads to that server, or is refused before anything is sent. */

import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { EMPTY_BODY } from '../../../shared/contract/wire.ts';
import { createClient, httpHandle } from '../../../shared/transport/client.ts';
import { fetchHandle } from '../../../web/host/visit.ts';

const SERVER = 'http://127.0.0.1:3917';
/** Resolves a path as a page does. */
const originOf = (address: unknown): string => new URL(String(address), SERVER).origin;

const fetchMock = vi.fn(async (_address: unknown) => new Response('{"ok":true}'));
vi.stubGlobal('fetch', fetchMock);
afterEach(() => void fetchMock.mockClear());

const session = { authorization: 'Bearer secret' };
const handles = { 'over HTTP': httpHandle(SERVER), 'from a page': fetchHandle };

for (const [how, handle] of Object.entries(handles)) {
	const client = createClient(handle, session);

	test.each([
		'//127.0.0.1:4330/x',
		'/\\127.0.0.1:4330/x',
		'/\t/127.0.0.1:4330/x',
		'/\r\n\\127.0.0.1:4330/x',
		'\\\\127.0.0.1:4330/x',
		'http://127.0.0.1:4330/x',
		' //127.0.0.1:4330/x',
		'//127.0.0.1:3917/observe',
		'observe',
		'/fork/../step',
		'/fork/%2E./step',
		'/fork/.',
		'/fork/a#b',
		'',
	])(`${how}, %j is refused before anything is sent`, async (path) => {
		const { status, body } = await client.send({ method: 'POST', path, body: {} });
		expect(fetchMock).not.toHaveBeenCalled();
		expect(status).toBe(404);
		expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({
			ok: false,
			code: 'no_such_route',
			error: `"${path}" is not a path of this server.`,
			fix: expect.stringContaining('a path that begins with one "/", such as /observe'),
		});
	});

	test(`${how}, no path leads to another server`, async () => {
		const path = fc.string({ unit: fc.constantFrom(...'/\\\t\n\r @:.?#%a1'.split('')), maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(path, fc.boolean(), async (path, rooted) => {
				fetchMock.mockClear();
				await handle({
					method: 'GET',
					path: rooted ? `/${path}` : path,
					query: '',
					headers: {},
					body: EMPTY_BODY,
				});
				for (const [address] of fetchMock.mock.calls) expect(originOf(address)).toBe(SERVER);
			}),
			{ numRuns: 2000 },
		);
	});

	test(`${how}, paths with slashes and addresses further on are sent`, async () => {
		for (const path of ['/', '/entities/3', '/asset/a//b', '/fork/http:%2F%2Fhost'])
			await client.send({ method: 'GET', path });
		expect(fetchMock.mock.calls.map(([address]) => originOf(address))).toEqual(Array(4).fill(SERVER));
	});
}
