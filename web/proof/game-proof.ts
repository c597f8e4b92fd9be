/** Comparison of a played game with its golden trace. Owns: the verdict, and the first difference. */

import type { GameNews } from './proof.worker.ts';

export type ProofVerdict = 'waiting' | 'running' | 'equal' | 'different' | 'failed';

/** Progress and verdict of one game. */
export interface GameProof {
	readonly name: string;
	readonly title: string;
	/** Golden trace of the game. */
	readonly trace: string;
	readonly verdict: ProofVerdict;
	/** Current tick of the game. */
	readonly tick: number;
	/** Newest digest; empty before the first one. */
	readonly currentDigest: string;
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
	const noProgress = { tick: 0, currentDigest: '', matched: 0, compared: 0, why: '', ms: 0 };
	return { name, title, trace, verdict: 'waiting', ...noProgress };
}

/** Returns the proof of a game after a message. */
export function afterMessage(game: GameProof, message: GameNews): GameProof {
	switch (message.type) {
		case 'begun':
			return { ...waitingProof(game), verdict: 'running' };
		case 'failed':
			return { ...game, verdict: 'failed', why: message.why };
		case 'played': {
			const { tick, digest } = message;
			const expected = digestsIn(game.trace).get(tick);
			if (expected === undefined) return { ...game, tick, currentDigest: digest };
			const equal = expected === digest;
			const why = game.why || (equal ? '' : `Tick ${tick} gave ${digest}, expected ${expected}.`);
			const matched = game.matched + (equal ? 1 : 0);
			return { ...game, tick, currentDigest: digest, matched, compared: game.compared + 1, why };
		}
		case 'ended': {
			const { trace, tick, digest } = message.played;
			const equal = trace === game.trace;
			const why = equal ? '' : game.why || difference(game.trace, trace);
			return {
				...game,
				verdict: equal ? 'equal' : 'different',
				tick,
				currentDigest: digest,
				why,
				ms: message.ms,
			};
		}
	}
}

/** Returns a text about the first line in which two traces differ. */
function difference(expected: string, actual: string): string {
	const [expectedLines, actualLines] = [expected.split('\n'), actual.split('\n')];
	const at = expectedLines.findIndex((line, i) => line !== actualLines[i]);
	return `The result was "${actualLines[at]?.trim() ?? ''}", expected "${expectedLines[at]?.trim() ?? ''}".`;
}

/** Returns the verdict on all games: the worst, or `running` while any is not finished. */
export function verdictOf(games: readonly GameProof[]): ProofVerdict {
	const hasVerdict = (verdict: ProofVerdict) => games.some((game) => game.verdict === verdict);
	if (hasVerdict('running') || hasVerdict('waiting')) return 'running';
	return hasVerdict('failed') ? 'failed' : hasVerdict('different') ? 'different' : 'equal';
}
