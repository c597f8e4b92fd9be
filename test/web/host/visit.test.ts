/** A page that visits a world: it sends inputs in order and other calls at once, and waits for changes in one call. */

import { afterEach, expect, test, vi } from 'vitest';
import type { EngineToView, FrameRequest, ViewToEngine } from '../../../web/frames/frames.ts';
import { fetchHandle, PageVisit } from '../../../web/host/visit.ts';
import { requestOf, startEngine } from '../../support/engine.ts';

afterEach(() => void vi.unstubAllGlobals());

test('calls of devices wait for each other, also after a failure, and other calls do not', async () => {
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

test('a visitor of a paused world has one call open, and gets frame and status when the world changes', async () => {
	const { engine, must } = await startEngine();
	const handle = engine.handleFrom('worker');
	const open = new Set<string>();
	const heard: number[] = [];
	const frames: number[] = [];
	vi.stubGlobal('document', { hidden: false });
	vi.stubGlobal('fetch', async (address: string, { headers = {} }: { headers?: Record<string, string> }) => {
		open.add(address);
		const [path, query = ''] = address.slice(1).split('?');
		const answer = await handle({ ...requestOf('GET', path!), query, headers: { ...headers } });
		open.delete(address);
		return new Response(answer.body as Uint8Array<ArrayBuffer>, answer);
	});
	const port = {
		onmessage: null as ((event: { data: ViewToEngine }) => void) | null,
		postMessage: (message: EngineToView) => {
			if (message.type === 'frame') frames.push(message.frame.tick);
			if (message.type === 'frame') ask(message.frame.tick, message.frame.versions);
		},
	};
	const ask = (since: number, known: FrameRequest['known']) =>
		port.onmessage!({ data: { type: 'frame', world: 'main', known, since, playing: false } });
	const visit = new PageVisit(port as unknown as MessagePort, {
		onStatus: (seen) => heard.push(seen!.status.tick),
		onGpu: () => {},
	});
	ask(-1, {});
	const atRest = async (tick: number) => {
		await vi.waitFor(() => expect([heard.at(-1), frames.at(-1)]).toEqual([tick, tick]));
		await vi.waitFor(() => expect([...open]).toEqual([expect.stringMatching(/^\.\/watch.*wait=/)]));
	};
	await atRest(0);
	await must('POST', '/step', { ticks: 3 });
	await atRest(3);
	expect([new Set(heard), frames]).toEqual([new Set([0, 3]), [0, 3]]);
	visit.end();
	await engine.close();
});
