/** The engine's side of the view: frames after changes, and the time limit of pictures. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineToView, Frame, ViewToEngine } from '../../../web/frames/frames.ts';
import { ViewLink } from '../../../web/host/view-link.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => {
	vi.useRealTimers();
	engine.engine.close();
});

const SIZE = { channel: 'color', width: 64, height: 64, hud: true } as const;
const PNG = Uint8Array.of(137, 80, 78, 71);

test('the first picture waits for a slow view, and later ones time out after 30 s', async () => {
	vi.useFakeTimers();
	const requests: number[] = [];
	const port = {
		onmessage: null as ((event: { data: ViewToEngine }) => void) | null,
		postMessage: (message: EngineToView) => {
			if (message.type === 'capture') requests.push(message.id);
		},
	};
	const view = new ViewLink(port as unknown as MessagePort, engine.engine);
	const entry = engine.engine.worlds.main;
	const first = view.capture(entry, SIZE);
	await vi.advanceTimersByTimeAsync(120_000);
	const info = { backend: 'webgl2', device_name: 'slow', capabilities: {} };
	port.onmessage!({ data: { type: 'gpu', info } as unknown as ViewToEngine });
	await vi.advanceTimersByTimeAsync(60_000);
	port.onmessage!({
		data: { type: 'captured', id: requests[0]!, result: { ok: true, bytes: PNG } } as ViewToEngine,
	});
	expect((await first).bytes).toEqual(PNG);
	const second = view.capture(entry, SIZE).catch((error: unknown) => error);
	await vi.advanceTimersByTimeAsync(30_000);
	expect(await second).toMatchObject({ code: 'picture_late' });
});

test('a view gets a frame only after a change of its world', async () => {
	const frames: Frame[] = [];
	const port = {
		onmessage: null as ((event: { data: ViewToEngine }) => void) | null,
		postMessage: (message: EngineToView) => {
			if (message.type === 'frame') frames.push(message.frame);
		},
	};
	const { must } = engine;
	engine.engine.setView(new ViewLink(port as unknown as MessagePort, engine.engine));
	let versions: Frame['versions'] | undefined;
	const ask = (world = 'main'): void => {
		const last = frames.at(-1);
		versions = last === undefined || last.world !== world ? undefined : { ...versions, ...last.versions };
		port.onmessage!({
			data: {
				type: 'frame',
				world,
				known: versions ?? {},
				since: versions === undefined ? -1 : last!.tick,
				playing: last?.playing ?? false,
			},
		});
	};
	const frameTicks = () =>
		frames.map(({ world, tick, playing, blocks }) => [world, tick, playing, 'rows' in blocks]);
	ask();
	ask();
	await must('POST', '/observe');
	expect(frameTicks()).toEqual([['main', 0, false, true]]);
	await must('POST', '/spawn', { position: [0, 0, 0] });
	expect(frameTicks().slice(1)).toEqual([['main', 0, false, true]]);
	ask();
	await must('POST', '/step', { ticks: 2 });
	expect(frameTicks().slice(2)).toEqual([['main', 2, false, false]]);
	// A request for another world replaces the earlier request.
	ask();
	await must('POST', '/fork', { fork_id: 'a' });
	ask('a');
	await must('POST', '/step', {});
	expect(frameTicks().slice(3)).toEqual([['a', 2, false, true]]);
	ask();
	expect(frameTicks().slice(4)).toEqual([['main', 3, false, true]]);
});
