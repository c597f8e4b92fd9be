/**
 * Plays the games of the golden traces in this browser, and shows their signatures beside the expected ones.
 * Owns: the start of the games, and the state of each.
 */

import './proof.css';
import goldens from 'virtual:goldens';
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { createTheme } from '../ui/chrome/theme.ts';
import { afterMessage, type GameProof, verdictOf, waitingProof } from './game-proof.ts';
import type { GameNews } from './proof.worker.ts';
import { ProofPage } from './proof-page.tsx';

const games = signal<readonly GameProof[]>([]);
let worker: Worker | undefined;

function applyMessage(news: GameNews): void {
	games.value = games.value.map((game) => (game.name === news.name ? afterMessage(game, news) : game));
}

/** Marks all unfinished games as failed. */
function failUnfinished(why: string): void {
	for (const { name, verdict } of games.value)
		if (verdict === 'waiting' || verdict === 'running') applyMessage({ type: 'failed', name, why });
}

function startGames(): void {
	worker?.terminate();
	games.value = goldens.map(waitingProof);
	worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module', name: 'proof' });
	worker.onmessage = ({ data }: MessageEvent<GameNews>) => applyMessage(data);
	worker.onerror = (event) => failUnfinished(event.message || 'The engine did not load.');
	worker.postMessage(goldens.map(({ name }) => name));
}

createTheme();
startGames();
render(<ProofPage games={games} onPlayAgain={startGames} />, document.getElementById('proof')!);
effect(() => {
	// Programs that read the page, such as a test, use this attribute.
	document.documentElement.dataset.verdict = verdictOf(games.value);
});
