/**
 * State of the console: the draft of a call, the answer to the last call, and the calls sent before.
 * Owns: the draft, the schema that completes it, and sending. Never: changes the text while a person types.
 */

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { hasBody, METHODS, type Method } from '../../../shared/contract/route.ts';
import type { PanelServices } from '../services.ts';
import { inWorld } from '../state/ask.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { answerOf, type ConsoleAnswer, notSent } from './console-answer.ts';
import { printJson } from './json-text.ts';
import { type RouteInfo, readRoutes, routeFor } from './route-list.ts';

export interface SentCall {
	readonly method: Method;
	readonly path: string;
	readonly body: string;
}

export interface ConsoleState {
	readonly method: Signal<Method>;
	readonly path: Signal<string>;
	readonly body: Signal<string>;
	readonly routes: ReadonlySignal<readonly RouteInfo[]>;
	readonly route: ReadonlySignal<RouteInfo | undefined>;
	readonly answer: ReadonlySignal<ConsoleAnswer | null>;
	readonly sending: ReadonlySignal<boolean>;
	/** Newest first. */
	readonly history: ReadonlySignal<readonly SentCall[]>;
	/** Reads GET /schema, unless it was read before. */
	loadRoutes(): Promise<void>;
	/** Fills the draft with a route and its example. */
	take(route: RouteInfo): void;
	restore(call: SentCall): void;
	send(): Promise<void>;
}

const MAX_HISTORY = 30;

export function createConsole(services: PanelServices, worlds: WorldsState): ConsoleState {
	const method = signal<Method>('POST');
	const path = signal('/spawn');
	const body = signal(
		'{\n  "mesh": "cube",\n  "color": "gold",\n  "position": [0, 5, 0],\n  "physics_body": "Dynamic"\n}',
	);
	const routes = signal<readonly RouteInfo[]>([]);
	const answer = signal<ConsoleAnswer | null>(null);
	const sending = signal(false);
	const history = signal<readonly SentCall[]>([]);
	let isLoading = false;

	return {
		method,
		path,
		body,
		routes,
		route: computed(() => routeFor(routes.value, method.value, path.value)),
		answer,
		sending,
		history,
		async loadRoutes() {
			if (isLoading || routes.value.length > 0) return;
			isLoading = true;
			try {
				const { body: schema } = await services.call('GET', '/schema', undefined, 'panels');
				routes.value = readRoutes(schema);
			} catch (error) {
				// Without the schema the console still sends; only completion is missing. The next visit asks again.
				console.warn('GET /schema gave no answer.', error);
			} finally {
				isLoading = false;
			}
		},
		take(route) {
			method.value = METHODS.find((m) => m === route.method) ?? 'POST';
			const example = route.examples[0];
			path.value = example?.path ?? route.path;
			if (hasBody(route.method)) body.value = printJson(example?.body ?? {});
		},
		restore(call) {
			method.value = call.method;
			path.value = call.path;
			body.value = call.body;
		},
		async send() {
			if (sending.value) return;
			const sent: SentCall = { method: method.value, path: path.value.trim(), body: body.value };
			let value: unknown;
			if (hasBody(sent.method)) {
				try {
					value = JSON.parse(sent.body.trim() === '' ? '{}' : sent.body);
				} catch (error) {
					const reason = reasonOf(error);
					answer.value = notSent(`The body is not JSON: ${reason}`, 'Nothing was sent.');
					return;
				}
			}
			history.value = [
				sent,
				...history.value.filter(
					(old) => old.method !== sent.method || old.path !== sent.path || old.body !== sent.body,
				),
			].slice(0, MAX_HISTORY);
			sending.value = true;
			try {
				const target = sent.path.startsWith('/') ? sent.path : `/${sent.path}`;
				const named = /[?&]world=/.test(target) || target.startsWith('/fork');
				const path = named ? target : inWorld(target, worlds.selected.value);
				const callAnswer = await services.call(sent.method, path, value, 'you');
				answer.value = answerOf(callAnswer);
			} catch (error) {
				const reason = reasonOf(error);
				answer.value = notSent(`The engine did not answer: ${reason}`, 'Reload the page.');
			} finally {
				sending.value = false;
			}
		},
	};
}
