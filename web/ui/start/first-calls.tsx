/**
 * The first calls as lines for a shell. Each can also be sent from the page.
 * Owns: the list of calls, and the short answer on each card.
 */

import { useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { curlLine } from '../api/curl-line.ts';
import { JsonText } from '../api/json-view.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import { refusalIn } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

interface FirstCall {
	readonly title: string;
	readonly words: string;
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

const CALLS: readonly FirstCall[] = [
	{
		title: 'Spawn',
		words: 'A gold box that falls from a height of five metres.',
		method: 'POST',
		path: '/spawn',
		body: {
			mesh: 'cube',
			color: 'gold',
			position: [0, 5, 0],
			physics_body: 'Dynamic',
			collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
		},
	},
	{
		title: 'Step',
		words: 'Sixty ticks are one second. The answer contains the digest.',
		method: 'POST',
		path: '/step',
		body: { ticks: 60 },
	},
	{
		title: 'Look',
		words: 'Every entity, exactly, without advancing the world.',
		method: 'POST',
		path: '/observe',
		body: {},
	},
	{
		title: 'Fork',
		words: 'A second world that starts from the current state of this one.',
		method: 'POST',
		path: '/fork',
		body: { fork_id: 'plan' },
	},
];

/** Maximum number of characters of a shown answer. */
const MAX_CHARACTERS = 400;

function CallCard({ call, number }: { readonly call: FirstCall; readonly number: number }) {
	const { services } = usePanels();
	const [answer, setAnswer] = useState<{ status: number; text: string; refused: boolean } | null>(null);
	const body = call.body === undefined ? '' : JSON.stringify(call.body);
	const line = curlLine(services.address, call.method, call.path, body);
	const send = async () => {
		try {
			const callAnswer = await services.call(call.method, call.path, call.body);
			const refusal = refusalIn(callAnswer.status, callAnswer.body);
			const text = refusal === null ? JSON.stringify(callAnswer.body) : `${refusal.sentence} ${refusal.fix}`;
			setAnswer({
				status: callAnswer.status,
				text: text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text,
				refused: refusal !== null,
			});
		} catch (error) {
			setAnswer({ status: 0, text: reasonOf(error), refused: true });
		}
	};
	return (
		<article class="card">
			<header>
				<span class="number">{number}</span>
				<h3>{call.title}</h3>
				<p>{call.words}</p>
			</header>
			<pre class="shell">
				<code>{line}</code>
			</pre>
			<footer>
				<CopyButton text={() => line} name={`Copy the ${call.title.toLowerCase()} line`} label="Copy" />
				<button type="button" class="button quiet" onClick={() => void send()}>
					<Icon name="send" />
					Send from here
				</button>
				{answer !== null && (
					<output class={answer.refused ? 'refused' : ''}>
						<span class={answer.refused ? 'bad' : 'good'}>{answer.status || 'lost'}</span>{' '}
						{answer.refused ? answer.text : <JsonText text={answer.text} />}
					</output>
				)}
			</footer>
		</article>
	);
}

export function FirstCalls() {
	return (
		<section class="first-calls" aria-label="First calls">
			<header class="offer-head">
				<h2>First calls</h2>
				<span class="soft">Paste them into a shell, or send them from here.</span>
			</header>
			<div class="cards">
				{CALLS.map((call, index) => (
					<CallCard key={call.title} call={call} number={index + 1} />
				))}
			</div>
		</section>
	);
}
