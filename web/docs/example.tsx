/**
 * Examples of a route: they are edited, run in a fork of the live world, or shown as recorded.
 * Owns: the draft of a call.
 */

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { exampleIsolation } from '../../shared/contract/isolation.ts';
import { type Example as Declared, hasBody } from '../../shared/contract/route.ts';
import { withoutReferences } from '../../shared/contract/schema-references.ts';
import { BodyEditor } from '../ui/api/body-editor.tsx';
import { printJson } from '../ui/api/json-text.ts';
import { JsonText } from '../ui/api/json-view.tsx';
import { Icon } from '../ui/drawn/icon.tsx';
import type { PageIdentity } from '../ui/session/page-session.ts';
import { Code } from './code.tsx';
import type { ApiDocument, DocRoute } from './document.ts';
import { ExampleResult, RecordedAnswer } from './example-result.tsx';
import { Method } from './method.tsx';
import type { SendCall } from './run-example.ts';
import { callsOf } from './snippets.ts';
import { useExampleRun } from './use-example-run.ts';
import { useRecorded } from './use-recorded.ts';

interface ExampleProps {
	readonly api: ApiDocument;
	readonly route: DocRoute;
	readonly send: SendCall;
	readonly who: ReadonlySignal<PageIdentity>;
	readonly address: string;
}

export function Example(props: ExampleProps) {
	const { examples } = props.route;
	const [shownIndex, setShownIndex] = useState(0);
	const example = examples[shownIndex];
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
								aria-pressed={index === shownIndex}
								onClick={() => setShownIndex(index)}
							>
								{name}
							</button>
						))}
					</div>
				) : (
					<span class="soft">{example.name}</span>
				)}
			</header>
			<EditableExample key={example.name} {...props} example={example} />
		</section>
	);
}

/** Returns the reason why an example does not run here; null if it does. */
function reasonNotToRun({ api, route, who, example }: EditableExampleProps): string | null {
	const isolation = exampleIsolation(api.find, route, example);
	const { required, agent } = who.value;
	if (isolation.in === 'none') return `This example does not run here. ${isolation.why}`;
	if (isolation.in !== 'fork' || !required || agent !== null) return null;
	return 'This example makes a fork, and calls that change something need a session here. Sign in on the page of the world, and open this page from its API view.';
}

interface EditableExampleProps extends ExampleProps {
	readonly example: Declared;
}

function EditableExample(props: EditableExampleProps) {
	const { api, route, example, send } = props;
	const path = useMemo(() => signal(example.path ?? route.path), []);
	const body = useMemo(() => signal(printJson(example.body ?? {})), []);
	const recorded = useRecorded(route, example);
	const { running, outcome, run } = useExampleRun({
		api,
		route,
		example,
		send,
		path,
		body,
		recordedNames: recorded?.made ?? [],
	});
	const why = reasonNotToRun(props);
	const inFork = exampleIsolation(api.find, route, example).in === 'fork';
	return (
		<>
			<Request {...props} path={path} body={body} why={why} isRunning={running} isInFork={inFork} run={run} />
			{why !== null ? (
				<RecordedAnswer why={why} answer={recorded?.answer} />
			) : (
				<ExampleResult outcome={outcome} isRunning={running} isInFork={inFork} />
			)}
		</>
	);
}

interface RequestProps extends EditableExampleProps {
	readonly path: Signal<string>;
	readonly body: Signal<string>;
	/** Reason why the example does not run; null if it does. */
	readonly why: string | null;
	readonly isRunning: boolean;
	readonly isInFork: boolean;
	readonly run: (empty: boolean) => Promise<void>;
}

/** Shows the draft of a call. */
function Request(props: RequestProps) {
	const { api, route, example, address, path, body, why, isRunning, isInFork } = props;
	const [isEmptyFork, setEmpty] = useState(false);
	const schema = useMemo(() => route.body && withoutReferences(route.body, api.schemas), [route, api]);
	const run = (): void => {
		if (why === null) void props.run(isEmptyFork);
	};
	return (
		<div class="request">
			<Preparation example={example} />
			<form
				class="call-line"
				onSubmit={(event) => {
					event.preventDefault();
					run();
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
					<button type="submit" class="button primary" disabled={isRunning}>
						<Icon name="play" small />
						{isRunning ? 'Running' : 'Run'}
					</button>
				)}
			</form>
			{hasBody(route.method) &&
				(why === null ? (
					<BodyEditor body={body} schema={schema} send={run} />
				) : (
					<pre class="read-body">
						<JsonText text={body.value} />
					</pre>
				))}
			<div class="run-line">
				{why === null && isInFork && (
					<button
						type="button"
						class="switch"
						role="switch"
						aria-checked={isEmptyFork}
						onClick={() => setEmpty(!isEmptyFork)}
					>
						<i />
						Empty the fork first
					</button>
				)}
				<span class="grow" />
				<Code address={address} api={api} calls={() => callsOf(route, draftOf(props))} />
			</div>
		</div>
	);
}

/** Returns the edited example. */
function draftOf({ route, example, path, body }: RequestProps): Declared {
	const { body: _, ...rest } = example;
	if (!hasBody(route.method)) return { ...rest, path: path.value };
	try {
		return { ...rest, path: path.value, body: JSON.parse(body.value) as unknown };
	} catch {
		// The body is not valid JSON yet, so the example's own body is used.
		return { ...example, path: path.value };
	}
}

function Preparation({ example: { given = [] } }: { readonly example: Declared }) {
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
								<JsonText text={truncate(printJson(body))} />
							</pre>
						)}
					</li>
				))}
			</ol>
		</details>
	);
}

/** Maximum number of shown characters of a body, because some bodies are whole files. */
const MAX_BODY_LENGTH = 1200;

const truncate = (text: string): string =>
	text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)} …` : text;
