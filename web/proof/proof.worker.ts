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

const tell = (news: GameNews): void => self.postMessage(news);

async function play(name: string): Promise<void> {
	tell({ type: 'begun', name });
	const bytes = await readPublic(`scenes/${name}.json`);
	if (bytes === null) throw new Error(`This server has no scene ${name}.`);
	const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
	const began = performance.now();
	const played = await playGolden({
		name,
		document,
		readPublic,
		played: (tick, digest) => tell({ type: 'played', name, tick, digest }),
	});
	tell({ type: 'ended', name, played, ms: performance.now() - began });
}

self.onmessage = async ({ data }: MessageEvent<readonly string[]>) => {
	for (const name of data) {
		try {
			await play(name);
		} catch (error) {
			tell({ type: 'failed', name, why: reasonOf(error) });
		}
	}
};
