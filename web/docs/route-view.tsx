/**
 * View of one route: its summary, example, parameters, body, answer and errors.
 * Owns: the order of these, and the texts for the effects of routes.
 */

import type { ReadonlySignal } from '@preact/signals';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { BODY_ERRORS, CHANGE_ERRORS, COMMON_ERRORS, type RouteEffect } from '../../shared/contract/route.ts';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import type { PageIdentity } from '../ui/session/page-session.ts';
import type { ApiDocument, DocParameter, DocRoute } from './document.ts';
import { Example } from './example.tsx';
import { FieldTable, SchemaTable } from './field-table.tsx';
import { Method } from './method.tsx';
import { Prose } from './prose.tsx';
import type { SendCall } from './run-example.ts';
import { fieldOf } from './schema.ts';

const EFFECTS: Readonly<Record<RouteEffect, string>> = {
	read: 'changes nothing',
	write: 'changes the world',
	step: 'time passes',
	replace: 'may replace the world',
	view: 'changes only what is shown',
	fork: 'changes forks or snapshots',
};

interface RouteViewProps {
	readonly api: ApiDocument;
	readonly route: DocRoute;
	readonly send: SendCall;
	readonly who: ReadonlySignal<PageIdentity>;
	readonly address: string;
}

export function RouteView({ api, route, send, who, address }: RouteViewProps) {
	const { schemas } = api;
	const parameters = route.parameters.filter((parameter) => parameter.in !== 'header');
	return (
		<article class="docs-page route">
			<h1>
				<Method method={route.method} />
				<span>{route.path}</span>
				<CopyButton
					text={() => `${location.href.split('#')[0]}#${route.anchor}`}
					name="Copy a link to this route"
				/>
			</h1>
			<p class="lead">{route.summary}</p>
			{route.description !== '' && (
				<p class="prose">
					<Prose text={route.description} />
				</p>
			)}
			<p class="chips">
				<span class="chip">{EFFECTS[route.effect]}</span>
				{route.access !== undefined && <span class="chip">takes {route.access} access</span>}
				{route.cli !== '' && <span class="chip mono">orrery {route.cli}</span>}
			</p>
			<Example api={api} route={route} send={send} who={who} address={address} />
			{parameters.length > 0 && (
				<section>
					<h2>Parameters</h2>
					<FieldTable
						name="Parameters"
						fields={parameters.map((parameter) => parameterField(parameter, api))}
						schemas={schemas}
					/>
				</section>
			)}
			{route.body !== undefined && (
				<section>
					<h2>Body</h2>
					{route.accepts.length > 0 && <p class="soft">Or the file itself, as {route.accepts.join(', ')}.</p>}
					<SchemaTable name="Body" schema={route.body} schemas={schemas} />
				</section>
			)}
			<section>
				<h2>
					Answer <span class="faint">{route.status}</span>
				</h2>
				{route.media.length > 0 && <p class="soft">Or {route.media.join(', ')}, when Accept names it.</p>}
				{route.answer !== undefined && (
					<SchemaTable name="Answer" schema={route.answer} schemas={schemas} isAnswer />
				)}
			</section>
			<Errors route={route} />
		</article>
	);
}

const parameterField = (
	{ name, in: place, schema, required, description }: DocParameter,
	api: ApiDocument,
) => ({
	...fieldOf(name, { ...schema, description: schema.description ?? description }, required, api.schemas),
	note: place,
});

/** Codes that many routes share. */
const USUAL_CODES: ReadonlySet<string> = new Set([...COMMON_ERRORS, ...CHANGE_ERRORS, ...BODY_ERRORS]);

function Errors({ route }: { readonly route: DocRoute }) {
	const ownCodes = route.codes.filter(([code]) => !USUAL_CODES.has(code));
	const usualCodes = route.codes.filter(([code]) => USUAL_CODES.has(code));
	return (
		<section>
			<h2>Errors</h2>
			{ownCodes.length === 0 ? <p class="soft">None of its own.</p> : <ErrorList codes={ownCodes} />}
			<details class="more">
				<summary>{usualCodes.length} that other routes have, too</summary>
				<ErrorList codes={usualCodes} />
			</details>
		</section>
	);
}

function ErrorList({ codes }: { readonly codes: DocRoute['codes'] }) {
	return (
		<dl class="error-list">
			{codes.map(([code, status]) => (
				<div key={code}>
					<dt>
						<code>{code}</code>
						<span class="faint">{status}</span>
					</dt>
					<dd>{(ERRORS[code as ErrorCode] as readonly [number, string] | undefined)?.[1]}</dd>
				</div>
			))}
		</dl>
	);
}
