/**
 * One run of an example: in the world itself if it only reads, else in a fork that is deleted afterwards.
 * Owns: the fork's life, and the order of calls in it. Never: sends what a fork does not contain.
 */

import { exampleIsolation, routeOf } from '../../shared/contract/isolation.ts';
import { madeThings, type Name } from '../../shared/contract/made-things.ts';
import { type Example, type ExampleCall, hasBody } from '../../shared/contract/route.ts';
import type { CallAnswer } from '../ui/services.ts';
import { inWorld, refusalIn } from '../ui/state/ask.ts';
import type { ApiDocument, DocRoute } from './document.ts';
import { type NameOf, withOwnNames } from './own-names.ts';

export interface SentCall {
	readonly method: string;
	readonly path: string;
	readonly body?: unknown;
	/** Media type that is wanted in place of JSON. */
	readonly accept?: string;
}

/** An answer; `picture` is one that came in place of JSON. */
export interface DocAnswer extends CallAnswer {
	readonly picture?: Blob;
}

export type Made = readonly (readonly [thing: string, name: Name])[];

export type Send = (call: SentCall) => Promise<DocAnswer>;

export interface RunOptions {
	readonly document: ApiDocument;
	readonly send: Send;
	/** Id of the fork, new for each run. */
	readonly fork: string;
	/** Empties the fork first, so that ids are those of the example. */
	readonly empty?: boolean;
	/** Ids that the preparation made when the example was recorded, in order. */
	readonly made?: Made;
	/** Takes a picture of a world; undefined when there is none. */
	readonly picture?: (world: string) => Promise<Blob | undefined>;
	/** Called when the answer is here and the last picture is not. */
	readonly answered?: (ran: RanIn) => void;
}

export interface Ran {
	/** The call as it was sent. */
	readonly sent: SentCall;
	readonly answer: DocAnswer;
	/** Set when a call before that of the example was refused: the answer is to that one, and the rest were not sent. */
	readonly refused: boolean;
	readonly before: Blob | undefined;
	readonly after: Blob | undefined;
	/** World in which it ran: main, or the fork. */
	readonly world: string;
	/** Digests of main before and after; equal unless main moved by itself meanwhile. */
	readonly main: readonly [before: MainState, after: MainState];
}

/** A run before main is looked at again. */
export type RanIn = Omit<Ran, 'main'>;

interface MainState {
	readonly tick: unknown;
	readonly digest: unknown;
}

/** The example is not isolated: nothing was sent. */
export class NotIsolated extends Error {}

/** Runs an example. Rejects with `NotIsolated` when no fork contains it, and when no answer comes. */
export async function runExample(route: DocRoute, example: Example, options: RunOptions): Promise<Ran> {
	const { document, send, fork } = options;
	const isolation = exampleIsolation(document.find, route, example);
	if (isolation.in === 'none') throw new NotIsolated(isolation.why);
	const before = await mainState(send);
	const ran =
		isolation.in === 'live'
			? await runIn('main', route, example, options)
			: await inFork(send, fork, () => runIn(fork, route, example, options));
	return { ...ran, main: [before, await mainState(send)] };
}

async function inFork(send: Send, fork: string, run: () => Promise<RanIn>): Promise<RanIn> {
	const sent = { method: 'POST', path: '/fork', body: { fork_id: fork } };
	const made = await send(sent);
	if (isRefused(made)) return stopped(sent, made, 'main');
	const ran = await run().catch(async (error: unknown) => {
		await deleteFork(send, fork);
		throw error;
	});
	await deleteFork(send, fork);
	return ran;
}

async function deleteFork(send: Send, fork: string): Promise<void> {
	const { status, body } = await send({ method: 'DELETE', path: `/fork/${fork}` });
	const refusal = refusalIn(status, body);
	if (refusal !== null) throw new Error(`The fork ${fork} is still there. ${refusal.sentence}`);
}

async function runIn(
	world: string,
	route: DocRoute,
	{ given = [], path = route.path, body }: Example,
	{ document, send, empty = false, made = [], picture, answered }: RunOptions,
): Promise<RanIn> {
	if (empty && world !== 'main') {
		const sent = { method: 'POST', path: inWorld('/reset', world), body: { fresh: true } };
		const reset = await send(sent);
		if (isRefused(reset)) return stopped(sent, reset, world);
	}
	const here: Made[number][] = [];
	const nameOf: NameOf = (thing, name) => {
		const at = made.findIndex(([one, named]) => one === thing && String(named) === String(name));
		return here[at]?.[1] ?? name;
	};
	const toSend = (call: ExampleCall): SentCall => {
		const of = routeOf(document.find, call);
		const own = of === undefined ? call : withOwnNames(call, of, document.schemas, nameOf);
		const method = call.method ?? 'POST';
		const media = of?.media.find((one) => one.startsWith('image/'));
		return {
			method,
			path: of?.world === false ? own.path : inWorld(own.path, world),
			...(hasBody(method) ? { body: own.body ?? {} } : {}),
			...(media === undefined ? {} : { accept: media }),
		};
	};
	for (const call of given) {
		const sent = toSend(call);
		const answer = await send(sent);
		if (isRefused(answer)) return stopped(sent, answer, world);
		here.push(...madeThings(routeOf(document.find, call)?.makes, sent.body, answer.body));
	}
	const before = route.effect === 'read' ? undefined : await picture?.(world);
	const sent = toSend({ method: route.method, path, body });
	const answer = await send(sent);
	const ran: RanIn = { sent, answer, refused: false, before, after: undefined, world };
	// A picture that was asked for is the answer itself.
	if (answer.picture !== undefined) return ran;
	answered?.(ran);
	return { ...ran, after: await picture?.(world) };
}

const isRefused = ({ status, body }: DocAnswer): boolean => refusalIn(status, body) !== null;

const stopped = (sent: SentCall, answer: DocAnswer, world: string): RanIn => ({
	sent,
	answer,
	refused: true,
	before: undefined,
	after: undefined,
	world,
});

async function mainState(send: Send): Promise<MainState> {
	const { body } = await send({ method: 'GET', path: '/digest' });
	const { tick, state_digest: digest } = (body ?? {}) as Readonly<Record<string, unknown>>;
	return { tick, digest };
}
