/**
 * The examples of a route: edited, run in a fork of the live world, or shown as they were recorded.
 * Owns: the draft, and what came of its last run.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { exampleIsolation } from '../../shared/contract/isolation.ts';
import { type Example as Declared, hasBody } from '../../shared/contract/route.ts';
import { withoutReferences } from '../../shared/contract/schema-references.ts';
import { AnswerView } from '../ui/api/answer-view.tsx';
import { BodyEditor } from '../ui/api/body-editor.tsx';
import { answerOf, type ConsoleAnswer, notSent } from '../ui/api/console-answer.ts';
import { printJson } from '../ui/api/json-text.ts';
import { JsonText } from '../ui/api/json-view.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { groupDigest } from '../ui/drawn/digest.ts';
import { Icon } from '../ui/drawn/icon.tsx';
import { Signature } from '../ui/drawn/signature.tsx';
import type { Who } from '../ui/session/page-session.ts';
import { inWorld } from '../ui/state/ask.ts';
import { Code } from './code.tsx';
import type { ApiDocument, DocRoute } from './document.ts';
import { Method } from './method.tsx';
import { Pictures } from './pictures.tsx';
import { type Ran, type RanIn, runExample, type Send } from './run-example.ts';
import { callsOf } from './snippets.ts';
import { useRecorded } from './use-recorded.ts';

interface ExampleProps {
	readonly api: ApiDocument;
	readonly route: DocRoute;
	readonly send: Send;
	readonly who: ReadonlySignal<Who>;
	readonly address: string;
}

/** Pixels of a picture beside the answer. */
const PICTURE = { width: 640, height: 360 };

const newFork = (): string => `docs-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`;

export function Example(props: ExampleProps) {
	const { examples } = props.route;
	const [at, setAt] = useState(0);
	const example = examples[at];
	if (example === undefined) return null;
	return (
		<section class="example" aria-label="Example">
			<header>
				<h2>Example</h2>
				{examples.length > 1 ? (
					<div class="chips">
						{examples.map(({ name }, index) => (
							<button
								key={name}
								type="button"
								class="chip"
								aria-pressed={index === at}
								onClick={() => setAt(index)}
							>
								{name}
							</button>
						))}
					</div>
				) : (
					<span class="soft">{example.name}</span>
				)}
			</header>
			<Tried key={example.name} {...props} example={example} />
		</section>
	);
}

type ExampleRun =
	| { readonly kind: 'answered'; readonly ran: RanIn; readonly answer: ConsoleAnswer }
	| { readonly kind: 'ran'; readonly ran: Ran; readonly answer: ConsoleAnswer; readonly noPicture: string }
	| { readonly kind: 'failed'; readonly answer: ConsoleAnswer };

function Tried({ api, route, example, send, who, address }: ExampleProps & { readonly example: Declared }) {
	const path = useMemo(() => signal(example.path ?? route.path), []);
	const body = useMemo(() => signal(printJson(example.body ?? {})), []);
	const [empty, setEmpty] = useState(false);
	const [running, setRunning] = useState(false);
	const [outcome, setOutcome] = useState<ExampleRun | null>(null);
	const recorded = useRecorded(route, example);
	const schema = useMemo(() => route.body && withoutReferences(route.body, api.schemas), [route, api]);

	const isolation = exampleIsolation(api.find, route, example);
	const { required, agent } = who.value;
	const locked = isolation.in === 'fork' && required && agent === null;
	const why =
		isolation.in === 'none'
			? `This example does not run here. ${isolation.why}`
			: locked
				? 'This example makes a fork, and calls that change something need a session here. Sign in on the page of the world, and open this page from its API view.'
				: null;
	const takesBody = hasBody(route.method);

	const run = async (): Promise<void> => {
		if (running || why !== null) return;
		let sentBody: unknown;
		try {
			sentBody = takesBody ? JSON.parse(body.value.trim() || '{}') : undefined;
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const answer = notSent(`The body is not JSON: ${reason}`, 'Nothing was sent.');
			setOutcome({ kind: 'failed', answer });
			return;
		}
		setRunning(true);
		let noPicture = '';
		const picture = async (world: string): Promise<Blob | undefined> => {
			const size = `width=${PICTURE.width}&height=${PICTURE.height}`;
			const got = await send({
				method: 'GET',
				path: inWorld(`/screenshot?${size}`, world),
				accept: 'image/png',
			});
			if (got.picture === undefined) noPicture = answerOf(got).refusal?.sentence ?? 'No picture came.';
			return got.picture;
		};
		try {
			const tried: Declared = { ...example, path: path.value.trim(), body: sentBody };
			const ran = await runExample(route, tried, {
				document: api,
				send,
				fork: newFork(),
				empty,
				made: recorded?.made ?? [],
				picture,
				answered: (ran) => setOutcome({ kind: 'answered', ran, answer: answerOf(ran.answer) }),
			});
			setOutcome({ kind: 'ran', ran, answer: answerOf(ran.answer), noPicture });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			setOutcome({ kind: 'failed', answer: notSent(reason, '') });
		} finally {
			setRunning(false);
		}
	};

	const draft = (): Declared => {
		const { body: _, ...rest } = example;
		if (!takesBody) return { ...rest, path: path.value };
		try {
			return { ...rest, path: path.value, body: JSON.parse(body.value) as unknown };
		} catch {
			// Not finished: the text is that of the example.
			return { ...example, path: path.value };
		}
	};

	return (
		<>
			<div class="request">
				<Given example={example} />
				<form
					class="call-line"
					onSubmit={(event) => {
						event.preventDefault();
						void run();
					}}
				>
					<Method method={route.method} />
					<span class="field">
						<input
							aria-label="Path"
							class="mono"
							spellcheck={false}
							autocomplete="off"
							readOnly={why !== null}
							value={path.value}
							onInput={(event) => {
								path.value = event.currentTarget.value;
							}}
						/>
					</span>
					{why === null && (
						<button type="submit" class="button primary" disabled={running}>
							<Icon name="play" small />
							{running ? 'Running' : 'Run'}
						</button>
					)}
				</form>
				{takesBody &&
					(why === null ? (
						<BodyEditor body={body} schema={schema} send={() => void run()} />
					) : (
						<pre class="read-body">
							<JsonText text={body.value} />
						</pre>
					))}
				<div class="run-line">
					{why === null && isolation.in === 'fork' && (
						<button
							type="button"
							class="switch"
							role="switch"
							aria-checked={empty}
							onClick={() => setEmpty(!empty)}
						>
							<i />
							Empty the fork first
						</button>
					)}
					<span class="grow" />
					<Code address={address} api={api} calls={() => callsOf(route, draft())} />
				</div>
			</div>
			{why !== null ? (
				<Recorded why={why} answer={recorded?.answer} />
			) : (
				<Result outcome={outcome} running={running} inFork={isolation.in === 'fork'} />
			)}
		</>
	);
}

function Given({ example: { given = [] } }: { readonly example: Declared }) {
	if (given.length === 0) return null;
	const count = given.length === 1 ? 'One call comes first' : `${given.length} calls come first`;
	return (
		<details class="more given">
			<summary>{count}</summary>
			<ol>
				{given.map(({ method = 'POST', path, body }, at) => (
					<li key={at}>
						<code>
							{method} {path}
						</code>
						{body !== undefined && (
							<pre>
								<JsonText text={cut(printJson(body))} />
							</pre>
						)}
					</li>
				))}
			</ol>
		</details>
	);
}

/** Characters of a prepared body that are shown: some are whole files. */
const MAX_GIVEN = 1200;

const cut = (text: string): string => (text.length > MAX_GIVEN ? `${text.slice(0, MAX_GIVEN)} …` : text);

function Recorded({ why, answer }: { readonly why: string; readonly answer: unknown }) {
	const shown = useMemo(
		() => (answer === undefined ? null : answerOf({ status: 200, ms: 0, body: answer })),
		[answer],
	);
	return (
		<div class="result">
			<p class="note">
				<Icon name="history" small />
				<span>
					{why} {shown === null ? '' : 'Below is an answer that was recorded on an empty world.'}
				</span>
			</p>
			{shown !== null && (
				<div class="answer">
					<div class="answer-head">
						<b class="mono good">recorded</b>
						<span class="grow" />
						<CopyButton text={() => shown.text} name="Copy the answer" />
					</div>
					<pre class="scroll">
						<JsonText text={shown.text} />
					</pre>
				</div>
			)}
		</div>
	);
}

function Result({
	outcome,
	running,
	inFork,
}: {
	readonly outcome: ExampleRun | null;
	readonly running: boolean;
	readonly inFork: boolean;
}) {
	if (outcome === null)
		return (
			<p class="note" role="status">
				<Icon name={inFork ? 'forks' : 'look'} small />
				{running
					? 'Running.'
					: inFork
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
		<div class={`result${running && isDone ? ' stale' : ''}`}>
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
				<Pictures ran={outcome.ran} why={isDone ? outcome.noPicture : null} />
			</div>
		</div>
	);
}

function RunNote({ ran }: { readonly ran: Ran }) {
	const { sent, world, main, refused } = ran;
	const [before, after] = main;
	const isSame = before.digest === after.digest;
	return (
		<p class="note" role="status" data-ran={refused ? 'refused' : 'done'}>
			<Icon name={isSame ? 'check' : 'history'} small />
			<span>
				{refused && 'The call before it was refused, so the example was not sent. '}
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
