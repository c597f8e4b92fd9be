/** Tabs with real engines at the relay's other end, as a page's Worker connects them. */

import type { LastWorld } from '../../shared/contract/link.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { digestsOf, giveWorlds } from '../../web/host/give-worlds.ts';
import type { RelayLinkOptions } from '../../web/host/relay-link.ts';
import { decodeSaved } from '../../web/host/saved-bytes.ts';
import { type FakeTab, openTab, startTab } from './fake-tab.ts';

/** A tab whose engine holds the worlds. */
export async function openEngineTab(
	url: string,
	engine: Engine,
	more: Partial<RelayLinkOptions> = {},
): Promise<FakeTab> {
	const tab = await openTab(url, engine.handleFrom('relay'), {
		world: () => engine.identity,
		give: () => giveWorlds(engine),
		onLastWorld: (last) => engine.setLastWorld(last),
		onGated: (gated) => engine.setGated(gated),
		...more,
	});
	engine.setDesk(tab.link.desk);
	return tab;
}

export interface Taking {
	readonly tab: FakeTab;
	readonly engine: () => Engine;
	/** Why nothing came; resolves when that is said. */
	readonly off: Promise<string>;
}

/** A tab that asks for the worlds. */
export async function openTakingTab(url: string, more: Partial<RelayLinkOptions> = {}): Promise<Taking> {
	let engine: Engine | undefined;
	let tellOff: (why: string) => void = () => {};
	const off = new Promise<string>((resolve) => {
		tellOff = resolve;
	});
	let last: LastWorld | null = null;
	const handle: CallHandler = (request) => engine!.handleFrom('relay')(request);
	const tab = await startTab(url, handle, {
		mode: 'take',
		world: () => engine?.identity ?? '',
		async take(bytes, identity) {
			engine = await createEngine({ saved: { ...decodeSaved(bytes), identity }, lastWorld: last });
			return digestsOf(engine.worlds);
		},
		give: () => giveWorlds(engine!),
		onLastWorld: (said) => {
			last = said;
			engine?.setLastWorld(said);
		},
		onOff: tellOff,
		...more,
	});
	return { tab, engine: () => engine!, off };
}
