/**
 * The answer to a call: status, time, size, why it was refused, and the JSON.
 * Owns: its layout.
 */

import { CopyButton } from '../controls/copy-button.tsx';
import { formatBytes, formatMs } from '../numbers.ts';
import type { ConsoleAnswer } from './console-answer.ts';
import { JsonText } from './json-view.tsx';

export function AnswerView({ answer }: { readonly answer: ConsoleAnswer | null }) {
	return (
		<div class={`answer${answer?.refusal ? ' refused' : ''}`} aria-live="polite">
			<div class="answer-head">
				{answer === null ? (
					<span class="faint">No answer yet.</span>
				) : (
					<>
						<b class={`mono ${answer.refusal ? 'bad' : 'good'}`}>{answer.status || 'not sent'}</b>
						<span class="soft">
							{answer.status > 0 && `last answer, ${formatMs(answer.ms)} ms, ${formatBytes(answer.bytes)}`}
						</span>
						<span class="grow" />
						<CopyButton text={() => answer?.text ?? ''} name="Copy the answer" />
					</>
				)}
			</div>
			{answer?.refusal && (
				<p class="answer-refusal">
					{answer.refusal.sentence} <span>{answer.refusal.fix}</span>
				</p>
			)}
			{answer !== null && answer.text !== '' && (
				<pre class="scroll">
					<JsonText text={answer.text} />
				</pre>
			)}
		</div>
	);
}
