/**
 * Handing the worlds from one tab of this browser to another where no relay does it.
 * Owns: the channel between them, and the lock that the tab which takes over holds meanwhile.
 * The worlds stay where they are until the other tab has them all and takes the place; neither tab waits by the clock.
 */

import type { GivenToPage, NotGiven } from './frames.ts';
import { PLACE } from './tab-lock.ts';

const CHANNEL = 'orrery-handover';
const LOCK = 'orrery-handover';

type Message =
	| { readonly type: 'wanted' }
	| ({ readonly type: 'worlds' } & GivenToPage)
	| ({ readonly type: 'none' } & NotGiven);

export interface Giver {
	/** Hands the worlds to the tab that asked for them, or says why it gets none. */
	give(given: GivenToPage | NotGiven): void;
}

/** Listens for a tab that wants the worlds, until `left`. `wanted` is called for each, `kept` when a handover ended and this tab goes on. */
export function offerWorlds(wanted: () => void, kept: () => void, left: AbortSignal): Giver {
	const channel = new BroadcastChannel(CHANNEL);
	left.addEventListener('abort', () => channel.close());
	channel.onmessage = ({ data }: MessageEvent<Message>) => {
		if (data.type !== 'wanted') return;
		// Of two tabs that ask, the second begins when the first has come to its end.
		kept();
		wanted();
		// Granted when the other tab lets go of it: it is done, or has ended.
		const goesOn = async () => {
			const { held = [] } = await navigator.locks.query();
			const holderOf = (lock: string) => held.find(({ name }) => name === lock)?.clientId;
			if (holderOf(PLACE) === holderOf(LOCK)) kept();
		};
		navigator.locks.request(LOCK, { signal: left }, goesOn).catch((error: unknown) => {
			if (!left.aborted) throw error;
		});
	};
	return {
		give(given) {
			const message: Message =
				'refused' in given
					? { type: 'none', refused: given.refused }
					: { type: 'worlds', saved: given.saved, digests: given.digests };
			channel.postMessage(message);
		},
	};
}

/**
 * Asks the tab that has the worlds for them, and does `take` with them when they come: however long that tab is at work.
 * A second tab that asks waits for the first. Rejects as `take` does, and when told to stop waiting.
 */
export function receiveWorlds(take: (given: GivenToPage) => Promise<void>, stop: AbortSignal): Promise<void> {
	return navigator.locks.request(LOCK, { signal: stop }, async () => {
		const channel = new BroadcastChannel(CHANNEL);
		try {
			const given = await new Promise<GivenToPage>((resolve, reject) => {
				channel.onmessage = ({ data }: MessageEvent<Message>) => {
					if (data.type === 'worlds') resolve(data);
					if (data.type === 'none') reject(new Error(data.refused));
				};
				stop.onabort = () => reject(stop.reason);
				channel.postMessage({ type: 'wanted' } satisfies Message);
			});
			await take(given);
		} finally {
			channel.close();
		}
	});
}
