/**
 * Services of the panels for tests, with a real engine in this process instead of the page.
 * Owns: fake services and a fake navigation, which record calls and notices.
 */

import { computed, signal } from '@preact/signals';
import type { EngineStatus } from '../../web/frames/frames.ts';
import type { EngineSettings } from '../../web/host/engine.ts';
import type { ViewName } from '../../web/ui/chrome/views.ts';
import type { CallAnswer, PanelServices } from '../../web/ui/services.ts';
import { createMemoryStorage } from '../../web/ui/state/kept.ts';
import type { Navigation } from '../../web/ui/state/navigation.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { NO_SESSION } from './no-session.ts';
import { readPublic } from './public-files.ts';

export interface TestPanels {
	readonly started: TestEngine;
	readonly services: PanelServices;
	readonly navigation: Navigation;
	/** Every call so far, as `POST /step {"ticks":1}`. */
	readonly calls: string[];
	/** Every shown refusal, as `Step: the sentence`. */
	readonly refused: string[];
	/** Every other shown notice. */
	readonly notices: string[];
}

/** Starts an engine, and services that call it. */
export async function startPanels(
	seed = 0,
	view: ViewName = 'start',
	settings: EngineSettings = {},
): Promise<TestPanels> {
	const started = await startEngine({ seed, readPublic, ...settings });
	const { engine, call } = started;
	const [calls, refused, notices]: [string[], string[], string[]] = [[], [], []];
	const status = signal<EngineStatus | null>(null);
	const currentView = signal(view);
	const updateStatus = () => {
		status.value = { ...engine.takeStatus(), relay: 'off' };
	};
	engine.onChange = updateStatus;
	updateStatus();
	const door = { state: 'ready' } as const;
	return {
		started,
		calls,
		refused,
		notices,
		services: {
			status,
			view: signal(null),
			picture: signal({ kind: 'none', message: 'No browser draws here.' }),
			openPicture() {},
			takePicture: async () => null,
			kept: createMemoryStorage(),
			callLast() {},
			shows: signal(null),
			hud: signal([]),
			sound: signal({ hearing: 'nothing', muted: false, fault: null }),
			mute() {},
			doors: signal({ tab: door, worker: door, relay: door }),
			holding: signal('held'),
			holder: signal('tab'),
			session: NO_SESSION,
			arriving: signal(null),
			reading: signal(null),
			failure: signal(null),
			address: 'http://127.0.0.1:3917',
			takeOver() {},
			async call(method: string, path: string, body?: unknown): Promise<CallAnswer> {
				calls.push(`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
				const answer = await call(method, path, body);
				return { status: answer.status, body: answer.body, ms: 0 };
			},
		},
		navigation: {
			view: currentView,
			shown: computed(() => ({
				label: currentView.value,
				icon: 'cube',
				Component: () => null,
				...((currentView.value === 'make' || currentView.value === 'odds') && { selects: true }),
			})),
			names: [],
			popup: signal(null),
			notice: signal(null),
			isVisitNoteClosed: signal(false),
			go(name) {
				currentView.value = name;
			},
			refuse(what, { sentence }) {
				refused.push(`${what}: ${sentence}`);
			},
			tell(words, soft) {
				notices.push(`${words} ${soft}`.trim());
			},
			stop() {},
		},
	};
}
