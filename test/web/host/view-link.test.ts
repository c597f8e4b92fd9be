/** Pictures that the engine asks the view for: how long each may take. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineToView, ViewToEngine } from '../../../web/frames/frames.ts';
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

test('the first picture waits for a view that starts slowly, and later ones are late after 30 s', async () => {
	vi.useFakeTimers();
	const asked: number[] = [];
	const port = {
		onmessage: null as ((event: { data: ViewToEngine }) => void) | null,
		postMessage: (message: EngineToView) => {
			if (message.type === 'capture') asked.push(message.id);
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
		data: { type: 'captured', id: asked[0]!, result: { ok: true, bytes: PNG } } as ViewToEngine,
	});
	expect((await first).bytes).toEqual(PNG);
	const second = view.capture(entry, SIZE).catch((error: unknown) => error);
	await vi.advanceTimersByTimeAsync(30_000);
	expect(await second).toMatchObject({ code: 'picture_late' });
});
