/**
 * Result of an example: the answer of its last run, or the recorded answer.
 * Owns: the text about the world of the run.
 */

import { useMemo } from 'preact/hooks';
import { AnswerView } from '../ui/api/answer-view.tsx';
import { answerOf } from '../ui/api/console-answer.ts';
import { JsonText } from '../ui/api/json-view.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { groupDigest } from '../ui/drawn/digest.ts';
import { Icon } from '../ui/drawn/icon.tsx';
import { Signature } from '../ui/drawn/signature.tsx';
import { Pictures } from './pictures.tsx';
import type { CompletedRun } from './run-example.ts';
import type { ExampleRun } from './use-example-run.ts';

export function RecordedAnswer({ why, answer }: { readonly why: string; readonly answer: unknown }) {
	const consoleAnswer = useMemo(
		() => (answer === undefined ? null : answerOf({ status: 200, ms: 0, body: answer })),
		[answer],
	);
	return (
		<div class="result">
			<p class="note">
				<Icon name="history" small />
				<span>
					{why} {consoleAnswer === null ? '' : 'Below is an answer that was recorded on an empty world.'}
				</span>
			</p>
			{consoleAnswer !== null && (
				<div class="answer">
					<div class="answer-head">
						<b class="mono good">recorded</b>
						<span class="grow" />
						<CopyButton text={() => consoleAnswer.text} name="Copy the answer" />
					</div>
					<pre class="scroll">
						<JsonText text={consoleAnswer.text} />
					</pre>
				</div>
			)}
		</div>
	);
}

export function ExampleResult({
	outcome,
	isRunning,
	isInFork,
}: {
	readonly outcome: ExampleRun | null;
	readonly isRunning: boolean;
	readonly isInFork: boolean;
}) {
	if (outcome === null)
		return (
			<p class="note" role="status">
				<Icon name={isInFork ? 'forks' : 'look'} small />
				{isRunning
					? 'Running.'
					: isInFork
						? 'Run forks the live world, makes the call there, and deletes the fork. The world stays as it is.'
						: 'This call only reads, so it runs in the live world itself.'}
			</p>
		);
	if (outcome.kind === 'failed')
		return (
			<div class="result">
				<AnswerView answer={outcome.answer} />
			</div>
		);
	const { answer } = outcome;
	const isDone = outcome.kind === 'ran';
	return (
		<div class={`result${isRunning && isDone ? ' stale' : ''}`}>
			{isDone ? (
				<RunNote ran={outcome.ran} />
			) : (
				<p class="note" role="status">
					<Icon name="look" small />
					Taking the picture.
				</p>
			)}
			<div class="side-by-side">
				<AnswerView answer={answer} />
				<Pictures run={outcome.ran} why={isDone ? outcome.noPicture : null} />
			</div>
		</div>
	);
}

function RunNote({ ran }: { readonly ran: CompletedRun }) {
	const { sent, world, main, isRefused } = ran;
	const [before, after] = main;
	const isSame = before.digest === after.digest;
	return (
		<p class="note" role="status" data-ran={isRefused ? 'refused' : 'done'}>
			<Icon name={isSame ? 'check' : 'history'} small />
			<span>
				{isRefused && 'The call before it was refused, so the example was not sent. '}
				<code>
					{sent.method} {sent.path}
				</code>{' '}
				{world === 'main' ? 'read the live world.' : `ran in the fork ${world}, which is deleted.`}{' '}
				{isSame
					? `Main is unchanged: ${groupDigest(String(after.digest))}`
					: `Main itself went from tick ${before.tick} to ${after.tick} meanwhile: it is playing.`}
			</span>
			{isSame && <Signature digest={String(after.digest)} size={20} />}
		</p>
	);
}
