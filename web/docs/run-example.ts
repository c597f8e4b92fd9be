/**
 * Runs an example: in the main world if it only reads, otherwise in a fork that is deleted afterwards.
 * Owns: the creation and deletion of the fork, and the order of calls in it.
 * Never: sends a call whose effects leave the fork.
 */

import { exampleIsolation, routeOf } from '../../shared/contract/isolation.ts';
import { createdThings, type ThingName } from '../../shared/contract/made-things.ts';
import { type Example, type ExampleCall, hasBody } from '../../shared/contract/route.ts';
import type { CallAnswer } from '../ui/services.ts';
import { inWorld, refusalIn } from '../ui/state/ask.ts';
import type { ApiDocument, DocRoute } from './document.ts';
import { type NameReplacer, withOwnNames } from './own-names.ts';

/** Call of an example, as it is sent. */
export interface ExampleCallSent {
	readonly method: string;
	readonly path: string;
	readonly body?: unknown;
	/** Media type to ask for instead of JSON. */
	readonly accept?: string;
}

/** Answer to a call; `picture` is set if the engine sent a picture instead of JSON. */
export interface DocAnswer extends CallAnswer {
	readonly picture?: Blob;
}

/** Names and ids of things that calls created, in order. */
export type MadeNames = readonly (readonly [thing: string, name: ThingName])[];

/** Sends a call; rejects if no answer comes. */
export type SendCall = (call: ExampleCallSent) => Promise<DocAnswer>;

export interface RunOptions {
	readonly document: ApiDocument;
	readonly send: SendCall;
	/** Id of the fork, new for each run. */
	readonly fork: string;
	/** Empties the fork first, so that new ids equal those of the example. */
	readonly isEmpty?: boolean;
	/** Names that the preparation created when the example was recorded. */
	readonly recordedNames?: MadeNames;
	/** Takes a picture of a world; resolves to undefined if none can be taken. */
	readonly takePicture?: (world: string) => Promise<Blob | undefined>;
	/** Called after the answer and before the last picture. */
	readonly onAnswer?: (run: WorldRun) => void;
}

/** Run of an example, with the state of main before and after. */
export interface CompletedRun {
	/** The call as it was sent. */
	readonly sent: ExampleCallSent;
	readonly answer: DocAnswer;
	/** True if a preparing call was refused. `sent` and `answer` are then of that call, and no later call was sent. */
	readonly isRefused: boolean;
	readonly before: Blob | undefined;
	readonly after: Blob | undefined;
	/** World of the run: main, or the fork. */
	readonly world: string;
	/** State of main before and after the run; equal unless main advanced meanwhile. */
	readonly main: readonly [before: MainState, after: MainState];
}

/** Run whose effect on main is not yet checked. */
export type WorldRun = Omit<CompletedRun, 'main'>;

interface MainState {
	readonly tick: unknown;
	readonly digest: unknown;
}

/** Error of an example whose effects no fork can contain. Nothing was sent. */
export class NotIsolatedError extends Error {}

/** Runs an example. Rejects with `NotIsolatedError` if no fork can contain its effects, and with the error of `send`. */
export async function runExample(
	route: DocRoute,
	example: Example,
	options: RunOptions,
): Promise<CompletedRun> {
	const { document, send, fork } = options;
	const isolation = exampleIsolation(document.find, route, example);
	if (isolation.in === 'none') throw new NotIsolatedError(isolation.why);
	const before = await mainState(send);
	const run =
		isolation.in === 'live'
			? await runIn('main', route, example, options)
			: await inFork(send, fork, () => runIn(fork, route, example, options));
	return { ...run, main: [before, await mainState(send)] };
}

async function inFork(send: SendCall, fork: string, runCalls: () => Promise<WorldRun>): Promise<WorldRun> {
	const sent = { method: 'POST', path: '/fork', body: { fork_id: fork } };
	const created = await send(sent);
	if (hasRefusal(created)) return refusedRun(sent, created, 'main');
	const run = await runCalls().catch(async (error: unknown) => {
		await deleteFork(send, fork);
		throw error;
	});
	await deleteFork(send, fork);
	return run;
}

async function deleteFork(send: SendCall, fork: string): Promise<void> {
	const { status, body } = await send({ method: 'DELETE', path: `/fork/${fork}` });
	const refusal = refusalIn(status, body);
	if (refusal !== null) throw new Error(`The fork ${fork} is still there. ${refusal.sentence}`);
}

async function runIn(
	world: string,
	route: DocRoute,
	{ given = [], path = route.path, body }: Example,
	{ document, send, isEmpty = false, recordedNames = [], takePicture, onAnswer }: RunOptions,
): Promise<WorldRun> {
	if (isEmpty && world !== 'main') {
		const sent = { method: 'POST', path: inWorld('/reset', world), body: { fresh: true } };
		const reset = await send(sent);
		if (hasRefusal(reset)) return refusedRun(sent, reset, world);
	}
	const created: MadeNames[number][] = [];
	const nameOf: NameReplacer = (thing, name) => {
		const index = recordedNames.findIndex(
			([candidate, recordedName]) => candidate === thing && String(recordedName) === String(name),
		);
		return created[index]?.[1] ?? name;
	};
	const callToSend = (call: ExampleCall): ExampleCallSent => {
		const callRoute = routeOf(document.find, call);
		const renamedCall =
			callRoute === undefined ? call : withOwnNames(call, callRoute, document.schemas, nameOf);
		const method = call.method ?? 'POST';
		const media = callRoute?.media.find((candidate) => candidate.startsWith('image/'));
		return {
			method,
			path: callRoute?.world === false ? renamedCall.path : inWorld(renamedCall.path, world),
			...(hasBody(method) ? { body: renamedCall.body ?? {} } : {}),
			...(media === undefined ? {} : { accept: media }),
		};
	};
	for (const call of given) {
		const sent = callToSend(call);
		const answer = await send(sent);
		if (hasRefusal(answer)) return refusedRun(sent, answer, world);
		created.push(...createdThings(routeOf(document.find, call)?.makes, sent.body, answer.body));
	}
	const before = route.effect === 'read' ? undefined : await takePicture?.(world);
	const sent = callToSend({ method: route.method, path, body });
	const answer = await send(sent);
	const run: WorldRun = { sent, answer, isRefused: false, before, after: undefined, world };
	// The answer is a picture, so no second one is needed.
	if (answer.picture !== undefined) return run;
	onAnswer?.(run);
	return { ...run, after: await takePicture?.(world) };
}

const hasRefusal = ({ status, body }: DocAnswer): boolean => refusalIn(status, body) !== null;

const refusedRun = (sent: ExampleCallSent, answer: DocAnswer, world: string): WorldRun => ({
	sent,
	answer,
	isRefused: true,
	before: undefined,
	after: undefined,
	world,
});

async function mainState(send: SendCall): Promise<MainState> {
	const { body } = await send({ method: 'GET', path: '/digest' });
	const { tick, state_digest: digest } = (body ?? {}) as Readonly<Record<string, unknown>>;
	return { tick, digest };
}
