/**
 * Worker that plays the games that the page names, in order.
 * Owns: the messages about their progress.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import { readPublic } from '../host/read-public.ts';
import { type PlayedGolden, playGolden } from './play-golden.ts';

/** Messages to the page about a game. */
export type GameNews =
	| { readonly type: 'begun'; readonly name: string }
	| { readonly type: 'played'; readonly name: string; readonly tick: number; readonly digest: string }
	| { readonly type: 'ended'; readonly name: string; readonly played: PlayedGolden; readonly ms: number }
	| { readonly type: 'failed'; readonly name: string; readonly why: string };

const send = (news: GameNews): void => self.postMessage(news);

async function play(name: string): Promise<void> {
	send({ type: 'begun', name });
	const bytes = await readPublic(`scenes/${name}.json`);
	if (bytes === null) throw new Error(`This server has no scene ${name}.`);
	const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
	const beginTime = performance.now();
	const played = await playGolden({
		name,
		document,
		readPublic,
		onStep: (tick, digest) => send({ type: 'played', name, tick, digest }),
	});
	send({ type: 'ended', name, played, ms: performance.now() - beginTime });
}

self.onmessage = async ({ data }: MessageEvent<readonly string[]>) => {
	for (const name of data) {
		try {
			await play(name);
		} catch (error) {
			send({ type: 'failed', name, why: reasonOf(error) });
		}
	}
};
