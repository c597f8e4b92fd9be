/**
 * Look of the proof: a row for each game, with the expected digest on the left and the result on the right.
 * Owns: the texts of the page.
 */

import type { ReadonlySignal } from '@preact/signals';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { groupDigest } from '../ui/drawn/digest.ts';
import { Icon } from '../ui/drawn/icon.tsx';
import { Signature } from '../ui/drawn/signature.tsx';
import { Wordmark } from '../ui/drawn/wordmark.tsx';
import { formatNumber } from '../ui/numbers.ts';
import { browserName } from './browser-name.ts';
import { digestsIn, type GameProof, lastOf, verdictOf } from './game-proof.ts';

const VERDICT_TEXTS = {
	waiting: 'Waiting',
	running: 'Playing',
	equal: 'Equal',
	different: 'Different',
	failed: 'Not played',
} as const;

const LAMPS = {
	waiting: 'hollow',
	running: 'waiting',
	equal: '',
	different: 'lost',
	failed: 'lost',
} as const;

const seconds = (ms: number): string => `${formatNumber(ms / 1000, 1)} s`;

function Side({ name, digest, compare }: { name: string; digest: string; compare?: string }) {
	return (
		<div class="side">
			<Signature digest={digest} size={64} {...(compare === undefined ? {} : { compare })} />
			<div>
				<span class="caps">{name}</span>
				<code>{digest === '' ? 'nothing yet' : groupDigest(digest)}</code>
			</div>
		</div>
	);
}

function Game({ game }: { readonly game: GameProof }) {
	const { name, title, trace, verdict, tick, currentDigest, matched, why, ms } = game;
	const [lastTick, expected] = lastOf(trace);
	const isOver = verdict === 'equal' || verdict === 'different';
	return (
		<article
			class="game"
			aria-label={title}
			data-game={name}
			data-verdict={verdict}
			data-tick={tick}
			data-digest={currentDigest}
			data-ms={Math.round(ms)}
			data-why={why}
		>
			<header>
				<h2>{title}</h2>
				<span class={`verdict ${verdict}`}>
					<span class={`lamp ${LAMPS[verdict]}`} />
					{VERDICT_TEXTS[verdict]}
				</span>
			</header>
			<Side name="Expected" digest={expected} />
			<Side name="Here" digest={currentDigest} {...(isOver ? { compare: expected } : {})} />
			<footer>
				<progress max={lastTick} value={tick} aria-label={`${title}: ticks played`} />
				<span>
					tick {formatNumber(tick)} of {formatNumber(lastTick)}
				</span>
				<span>
					{matched} of {digestsIn(trace).size} signatures equal
				</span>
				<span>{ms > 0 ? seconds(ms) : ''}</span>
			</footer>
			{why !== '' && <p class="bad">{why}</p>}
		</article>
	);
}

function summaryText(games: readonly GameProof[]): string {
	const equal = games.filter(({ verdict }) => verdict === 'equal').length;
	switch (verdictOf(games)) {
		case 'equal':
			return `All ${games.length} games are equal here, bit for bit.`;
		case 'different':
			return `${equal} of ${games.length} games are equal here. No browser should differ: please report this result.`;
		case 'failed':
			return `${equal} of ${games.length} games are equal here; the others could not be played to their end.`;
		default:
			return `${equal} of ${games.length} games are equal so far.`;
	}
}

/** Returns the content of the page as text, for a report. */
function reportOf(games: readonly GameProof[]): string {
	const lines = games.map(({ title, verdict, tick, currentDigest, trace, why, ms }) =>
		[
			title,
			VERDICT_TEXTS[verdict],
			`tick ${tick}`,
			`expected ${lastOf(trace)[1]}`,
			`got ${currentDigest}`,
			seconds(ms),
			why,
		].join('; '),
	);
	return [summaryText(games), navigator.userAgent, ...lines].join('\n');
}

export function ProofPage(props: {
	readonly games: ReadonlySignal<readonly GameProof[]>;
	readonly onPlayAgain: () => void;
}) {
	const games = props.games.value;
	const verdict = verdictOf(games);
	return (
		<main class="proof" aria-label="Proof">
			<header class="head">
				<a href="/" aria-label="Orrery: to the world">
					<Wordmark />
				</a>
				<h1>The same everywhere</h1>
				<p>
					Each game below plays itself to its end in your browser, from the same seed, with its rules, chance,
					physics and scripts. Its signature covers the whole state of the world. It is compared with the
					signature that Chromium, Firefox and Node give in the tests.
				</p>
				<p class="where">
					{browserName(navigator.userAgent)}, {navigator.hardwareConcurrency} threads
					<code>{navigator.userAgent}</code>
				</p>
			</header>
			<div class="sum">
				<strong class={verdict} aria-live="polite">
					{summaryText(games)}
				</strong>
				<CopyButton text={() => reportOf(games)} name="Copy the result" label="Copy" />
				<button type="button" class="button" disabled={verdict === 'running'} onClick={props.onPlayAgain}>
					<Icon name="play" />
					Play again
				</button>
			</div>
			{games.map((game) => (
				<Game key={game.name} game={game} />
			))}
		</main>
	);
}
