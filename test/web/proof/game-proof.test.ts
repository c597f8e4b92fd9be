/** Comparison of a game with its golden trace, with any player. */

import { describe, expect, test } from 'vitest';
import { browserName } from '../../../web/proof/browser-name.ts';
import {
	afterMessage,
	type GameProof,
	lastOf,
	verdictOf,
	waitingProof,
} from '../../../web/proof/game-proof.ts';
import type { GameNews } from '../../../web/proof/proof.worker.ts';

const [FIRST, LAST, OTHER] = ['00000000000000aa', '00000000000000bb', '00000000000000cc'] as const;
const TRACE = `seed 1\n    60 ${FIRST}\n   120 ${LAST}\nphase   post_match after 2 s\n`;

const fresh = (): GameProof => waitingProof({ name: 'arena', title: 'Arena', trace: TRACE });
const proofAfter = (...news: readonly GameNews[]) => news.reduce(afterMessage, fresh());
const at = (tick: number, digest: string) => ({ type: 'played', name: 'arena', tick, digest }) as const;
const ended = (trace: string, digest: string) =>
	({ type: 'ended', name: 'arena', played: { trace, tick: 120, digest }, ms: 5 }) as const;

describe('a game', () => {
	test('is equal if its whole trace is', () => {
		const game = proofAfter(
			{ type: 'begun', name: 'arena' },
			at(60, FIRST),
			at(120, LAST),
			ended(TRACE, LAST),
		);
		expect(game).toMatchObject({
			verdict: 'equal',
			tick: 120,
			currentDigest: LAST,
			matched: 2,
			compared: 2,
			why: '',
		});
		expect(lastOf(TRACE)).toEqual([120, LAST]);
	});

	test('reports the first different tick, also if later ones are equal', () => {
		const wrong = TRACE.replace(FIRST, OTHER);
		const game = proofAfter(at(60, OTHER), at(120, LAST), ended(wrong, LAST));
		expect(game).toMatchObject({ verdict: 'different', matched: 1, compared: 2 });
		expect(game.why).toBe(`Tick 60 gave ${OTHER}, expected ${FIRST}.`);
	});

	test('differs if only its end differs', () => {
		const game = proofAfter(
			at(60, FIRST),
			at(120, LAST),
			ended(TRACE.replace('after 2 s', 'after 3 s'), LAST),
		);
		expect(game.verdict).toBe('different');
		expect(game.why).toBe(
			'The result was "phase   post_match after 3 s", expected "phase   post_match after 2 s".',
		);
	});

	test('that ends early differs', () => {
		const game = proofAfter(at(60, FIRST), ended(`seed 1\n    60 ${FIRST}\n`, FIRST));
		expect(game.verdict).toBe('different');
	});

	test('restarts', () => {
		const game = proofAfter(
			at(60, OTHER),
			{ type: 'failed', name: 'arena', why: 'Gone.' },
			{ type: 'begun', name: 'arena' },
		);
		expect(game).toEqual({ ...fresh(), verdict: 'running' });
	});

	test('ticks between the ticks of the trace are not compared', () => {
		expect(proofAfter(at(30, OTHER))).toMatchObject({ tick: 30, currentDigest: OTHER, compared: 0, why: '' });
	});
});

test('the verdict on all games is equal only if every game is equal', () => {
	const of = (verdict: GameProof['verdict']) => ({ ...fresh(), verdict });
	expect(verdictOf([of('equal'), of('equal')])).toBe('equal');
	expect(verdictOf([of('equal'), of('different')])).toBe('different');
	expect(verdictOf([of('different'), of('failed')])).toBe('failed');
	expect(verdictOf([of('different'), of('waiting')])).toBe('running');
});

test.each([
	['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox 153 on Linux x86_64'],
	[
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/148.0.0.0 Safari/537.36',
		'Chromium 148 on Linux x86_64',
	],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0',
		'Edge 148 on Windows x64',
	],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
		'Safari 26 on iOS',
	],
	[
		'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
		'Chromium 148 on Android',
	],
	['a browser', 'This browser'],
])('%s', (userAgent, words) => {
	expect(browserName(userAgent)).toBe(words);
});
