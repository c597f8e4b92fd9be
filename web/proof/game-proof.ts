/** Comparison of a played game with its golden trace. Owns: the verdict, and the first difference. */

import type { GameNews } from './proof.worker.ts';

export type ProofVerdict = 'waiting' | 'running' | 'equal' | 'different' | 'failed';

export interface GameProof {
	readonly name: string;
	readonly title: string;
	/** Its golden trace. */
	readonly trace: string;
	readonly verdict: ProofVerdict;
	/** Tick that it has reached. */
	readonly tick: number;
	/** The newest digest; empty before the first. */
	readonly got: string;
	/** Number of equal digests, and of compared digests. */
	readonly matched: number;
	readonly compared: number;
	/** First difference, or the reason why the game could not be played; empty otherwise. */
	readonly why: string;
	/** Duration in milliseconds; 0 before its end. */
	readonly ms: number;
}

/** Returns the digests of a trace by their ticks. */
export function digestsIn(trace: string): ReadonlyMap<number, string> {
	const lines = trace.matchAll(/^ *(\d+) ([0-9a-f]{16})$/gm);
	return new Map(Array.from(lines, ([, tick, digest]) => [Number(tick), digest!]));
}

/** Returns the last tick of a trace and its digest. */
export function lastOf(trace: string): readonly [tick: number, digest: string] {
	return [...digestsIn(trace)].at(-1) ?? [0, ''];
}

/** Returns a game that has not begun. */
export function waitingProof({ name, title, trace }: Pick<GameProof, 'name' | 'title' | 'trace'>): GameProof {
	const nothing = { tick: 0, got: '', matched: 0, compared: 0, why: '', ms: 0 };
	return { name, title, trace, verdict: 'waiting', ...nothing };
}

/** Returns the proof of a game after a message. */
export function after(game: GameProof, news: GameNews): GameProof {
	switch (news.type) {
		case 'begun':
			return { ...waitingProof(game), verdict: 'running' };
		case 'failed':
			return { ...game, verdict: 'failed', why: news.why };
		case 'played': {
			const { tick, digest } = news;
			const expected = digestsIn(game.trace).get(tick);
			if (expected === undefined) return { ...game, tick, got: digest };
			const equal = expected === digest;
			const why = game.why || (equal ? '' : `Tick ${tick} gave ${digest}, expected ${expected}.`);
			const matched = game.matched + (equal ? 1 : 0);
			return { ...game, tick, got: digest, matched, compared: game.compared + 1, why };
		}
		case 'ended': {
			const { trace, tick, digest } = news.played;
			const equal = trace === game.trace;
			const why = equal ? '' : game.why || difference(game.trace, trace);
			return { ...game, verdict: equal ? 'equal' : 'different', tick, got: digest, why, ms: news.ms };
		}
	}
}

/** Returns a text about the first line in which two traces differ. */
function difference(expected: string, actual: string): string {
	const [wanted, came] = [expected.split('\n'), actual.split('\n')];
	const at = wanted.findIndex((line, i) => line !== came[i]);
	return `The result was "${came[at]?.trim() ?? ''}", expected "${wanted[at]?.trim() ?? ''}".`;
}

/** Returns the verdict on all games: the worst, or `running` while any is not finished. */
export function verdictOf(games: readonly GameProof[]): ProofVerdict {
	const any = (verdict: ProofVerdict) => games.some((game) => game.verdict === verdict);
	if (any('running') || any('waiting')) return 'running';
	return any('failed') ? 'failed' : any('different') ? 'different' : 'equal';
}
