/**
 * The console: method, path and body of a call, completed from the live schema, and the answer.
 * Owns: its layout. Never: checks a body itself; the engine reports its errors.
 */

import { useEffect, useRef } from 'preact/hooks';
import { hasBody, METHODS, type Method } from '../../../shared/contract/route.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';
import { AnswerView } from './answer-view.tsx';
import { BodyEditor } from './body-editor.tsx';
import { nearestPath } from './completion.ts';
import { curlLine } from './curl-line.ts';
import { PathField } from './path-field.tsx';

export function Console() {
	const { console: state, services, navigation, worlds } = usePanels();
	useEffect(() => {
		void state.loadRoutes();
	}, [state]);
	const { method, path, body, answer, sending, routes, route } = state;
	const unknown = routes.value.length > 0 && route.value === undefined && path.value.length > 1;
	const otherMethods = unknown
		? routes.value
				.filter((routeInfo) => routeInfo.path === path.value.split('?', 1)[0])
				.map((routeInfo) => routeInfo.method)
		: [];
	const near = unknown && otherMethods.length === 0 ? nearestPath(routes.value, path.value) : undefined;
	return (
		<section class="pane console" aria-label="Console">
			<div class="pane-head">
				<h2>Console</h2>
				{worlds.selected.value !== 'main' && <span class="faint cut">in {worlds.selected.value}</span>}
				<span class="grow" />
				{/* biome-ignore lint/security/noBlankTarget: a page of our own, which takes the session along */}
				<a class="button quiet" href="docs/" target="_blank" rel="opener">
					Reference
				</a>
				<a class="button quiet" href="guide/" target="_blank" rel="noopener">
					Guide
				</a>
				<CopyButton
					text={() => curlLine(services.address, method.value, path.value, body.value)}
					name="Copy as curl"
					label="Copy as curl"
				/>
				<button
					type="button"
					class="button quiet"
					aria-haspopup="menu"
					aria-expanded={navigation.popup.value === 'history'}
					disabled={state.history.value.length === 0}
					title={state.history.value.length === 0 ? 'No previous calls' : 'Previous calls'}
					onClick={() => {
						navigation.popup.value = navigation.popup.value === 'history' ? null : 'history';
					}}
				>
					History
				</button>
				{navigation.popup.value === 'history' && <History />}
			</div>
			<form
				class="call-line"
				onSubmit={(event) => {
					event.preventDefault();
					void state.send();
				}}
			>
				<span class="field choice method">
					<select
						aria-label="Method"
						value={method.value}
						onChange={(event) => {
							method.value = event.currentTarget.value as Method;
						}}
					>
						{METHODS.map((word) => (
							<option key={word}>{word}</option>
						))}
					</select>
				</span>
				<PathField />
				<button type="submit" class="button primary" title="Ctrl Enter" disabled={sending.value}>
					{sending.value ? <span class="waiting-ring" /> : <Icon name="send" />}
					Send
				</button>
			</form>
			<p class="route-line">
				{route.value !== undefined ? (
					<span class="soft">{route.value.summary}</span>
				) : otherMethods.length > 0 ? (
					<span class="bad">
						{path.value} accepts only {otherMethods.join(' and ')}.
					</span>
				) : unknown ? (
					<span class="bad">No such route.{near !== undefined && ` Nearest: ${near}`}</span>
				) : (
					<span class="faint">Type a path; the schema completes it.</span>
				)}
			</p>
			{hasBody(method.value) && (
				<BodyEditor body={body} schema={route.value?.body} send={() => void state.send()} />
			)}
			<AnswerView answer={answer.value} />
		</section>
	);
}

function History() {
	const { console: state, navigation } = usePanels();
	const list = useRef<HTMLDivElement>(null);
	useEffect(() => {
		list.current?.querySelector('button')?.focus();
		const away = (event: PointerEvent) => {
			if (!list.current?.contains(event.target as Node)) navigation.popup.value = null;
		};
		document.addEventListener('pointerdown', away);
		return () => document.removeEventListener('pointerdown', away);
	}, [navigation]);
	return (
		<div ref={list} class="popup history-popup" role="menu" aria-label="Previous calls">
			{state.history.value.map((call) => (
				<button
					key={`${call.method} ${call.path} ${call.body}`}
					type="button"
					role="menuitem"
					onClick={() => {
						state.restore(call);
						navigation.popup.value = null;
					}}
				>
					<span class="mono soft">{call.method}</span>
					<span class="mono">{call.path}</span>
					<span class="mono faint cut">{hasBody(call.method) ? call.body.replace(/\s+/g, ' ') : ''}</span>
				</button>
			))}
		</div>
	);
}
