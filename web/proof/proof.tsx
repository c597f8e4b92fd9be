/**
 * Plays the games of the golden traces in this browser, and shows their signatures beside the expected ones.
 * Owns: when they begin, and what is known of each.
 */

import './proof.css';
import goldens from 'virtual:goldens';
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { createTheme } from '../ui/chrome/theme.ts';
import { after, type GameProof, verdictOf, waitingProof } from './game-proof.ts';
import type { GameNews } from './proof.worker.ts';
import { ProofPage } from './proof-page.tsx';

const games = signal<readonly GameProof[]>([]);
let worker: Worker | undefined;

function take(news: GameNews): void {
	games.value = games.value.map((game) => (game.name === news.name ? after(game, news) : game));
}

/** None that waits or runs will end. */
function fail(why: string): void {
	for (const { name, verdict } of games.value)
		if (verdict === 'waiting' || verdict === 'running') take({ type: 'failed', name, why });
}

function begin(): void {
	worker?.terminate();
	games.value = goldens.map(waitingProof);
	worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module', name: 'proof' });
	worker.onmessage = ({ data }: MessageEvent<GameNews>) => take(data);
	worker.onerror = (event) => fail(event.message || 'The engine did not load.');
	worker.postMessage(goldens.map(({ name }) => name));
}

createTheme();
begin();
render(<ProofPage games={games} again={begin} />, document.getElementById('proof')!);
effect(() => {
	// For readers of the page that are programs, such as a check.
	document.documentElement.dataset.verdict = verdictOf(games.value);
});
