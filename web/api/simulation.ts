/** Handlers of the tag Simulation. */

import { ApiError, type ErrorCode } from '../../shared/contract/errors.ts';
import {
	addFractions,
	fraction,
	subtractFractions,
	toNumber,
	writeFraction,
} from '../../shared/contract/fraction.ts';
import type { Answer, Body } from '../../shared/contract/route.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { EVENT_KINDS, type EventKind } from '../../shared/documents/event.ts';
import type { StepInput } from '../../shared/documents/input.ts';
import * as routes from '../../shared/routes/simulation.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import { withCompletedTicks } from '../sim/completed-ticks.ts';
import type { ChooserFactory } from '../sim/core/chance.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import {
	distributionDigest,
	factorsOf,
	type Joint,
	jointDistribution,
	showChoice,
} from '../sim/peek/distribution.ts';
import { type ChoiceOverride, overridingChoosers } from '../sim/peek/overrides.ts';
import type { TracedTick } from '../sim/peek/traced-step.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import { EventLog } from '../store/event-view.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';
import { queueStepInputs } from './input.ts';
import { boundsOf, peekTicks, watchOf } from './peek-ticks.ts';
import { savePicture } from './pictures.ts';
import { Recorder } from './recorder.ts';
import { ScriptErrors } from './script-errors.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

/** Maximum number of events in one answer. */
const MAX_EVENTS = 10_000;

interface StepBody {
	readonly ticks: number;
	/** True to trace every tick; `draws` to trace only ticks with draws. */
	readonly trace: boolean | 'draws';
	readonly record?: Body<typeof routes.step>['record'];
	/** Kinds of events to list, or all. */
	readonly events?: readonly (EventKind | 'all')[] | null;
	/** Outcomes that the caller chooses for draws of the first tick. */
	readonly choices?: readonly ChoiceOverride[] | null;
	readonly inputs?: readonly StepInput[] | null;
	readonly capture?: readonly CaptureOrder[] | null;
}

type CaptureOrder = NonNullable<NonNullable<Body<typeof routes.step>['capture']>[number]>;
type Capture = NonNullable<Answer<typeof routes.step>['captures']>[number];

/** Steps a world. Returns the fields that all step routes answer with. */
export async function stepWorld(host: Host, entry: WorldEntry, body: StepBody) {
	const { ticks, trace, record, events, choices, inputs, capture } = body;
	const start_tick = entry.world.tick;
	const kinds = events?.includes('all') ? EVENT_KINDS : events;
	const log = kinds == null ? null : new EventLog(kinds as EventKind[], MAX_EVENTS);
	const chooserFactory = choices == null ? undefined : chooserFactoryFor(host, entry, ticks, choices);
	const recorder = record == null ? null : new Recorder(entry.world, record);
	const orders = sortCaptures(capture ?? [], ticks);
	if (orders.some(({ picture }) => picture != null)) await host.requireDrawing();
	const warnings = inputs == null ? [] : queueStepInputs(entry.world, inputs);
	const traced: TracedTick[] = [];
	const errors = new ScriptErrors(entry.world);
	let draws = 0;
	const advanceTo = async (to: number): Promise<void> => {
		const count = entry.world.tick - start_tick;
		const tracedTicks = await host.advance(entry, to - count, {
			trace: trace !== false,
			tracedDraws: draws,
			partOf: { made: count, of: ticks },
			...(chooserFactory === undefined || count > 0 ? {} : { chooserFactory }),
			afterTick: (world) => {
				errors.addTick(world);
				log?.addEvents(world);
				recorder?.recordTick(world);
			},
		});
		for (const tick of tracedTicks) draws += tick.choices.length + 1;
		traced.push(...tracedTicks);
	};
	const captures: Capture[] = [];
	let remainingBytes = MAX_DOCUMENT_BYTES;
	for (const order of orders) {
		await advanceTo(order.at);
		if (entry.world.tick - start_tick < order.at || host.running.stopAtEdge() !== null) break;
		const { capture, bytes } = await takeCapture(host, entry, order, remainingBytes).catch((error) => {
			throw captureRefusal(error, order.at, ticks, entry.world);
		});
		remainingBytes -= bytes;
		captures.push(capture);
	}
	await advanceTo(ticks);
	const last = traced.at(-1);
	const { world } = entry;
	const noDraws = { sampled: [], distribution_digest: distributionDigest([]) };
	return {
		ticks_advanced: world.tick - start_tick,
		start_tick,
		new_tick: world.tick,
		entity_count: world.entities.count,
		...stampOf(world),
		...(host.running.stop === 'paused' ? { stopped: 'paused' as const } : {}),
		...(last === undefined ? noDraws : drawsView(last)),
		...(trace === false ? {} : { trace: traceView(traced, trace === 'draws') }),
		...(recorder === null ? {} : { recorded: recorder.table() }),
		...(log === null ? {} : { events: log.events, event_count: log.total }),
		...(capture == null ? {} : { captures }),
		...warningsField(warnings),
		...errors.fields(),
	};
}

/** Returns the draws of every tick, or only of ticks with draws. */
const traceView = (traced: readonly TracedTick[], onlyDraws: boolean) =>
	traced
		.filter(({ choices }) => !onlyDraws || choices.length > 0)
		.map((tick) => ({ tick: tick.tick, ...drawsView(tick) }));

/** Sorts captures by their ticks. Throws `invalid_body` for one after the last tick. */
function sortCaptures(capture: readonly CaptureOrder[], ticks: number): readonly CaptureOrder[] {
	const lateIndex = capture.findIndex(({ at }) => at > ticks);
	if (lateIndex >= 0)
		throw new ApiError(
			'invalid_body',
			`capture[${lateIndex}].at: the value is ${capture[lateIndex]!.at}, but the call runs only ${ticks} ticks.`,
			{
				path: `capture[${lateIndex}].at`,
				fix: `Send at most ${ticks}, or raise "ticks".`,
			},
		);
	return [...capture].sort((a, b) => a.at - b.at);
}

/** Returns the refusal of a capture. It reports which ticks are kept, so that a caller does not repeat them. */
function captureRefusal(error: unknown, count: number, total: number, world: World): unknown {
	if (!(error instanceof ApiError)) return error;
	const { code, message, fix, details } = withCompletedTicks(error, count, total, world);
	return new ApiError(code, message, {
		fix: count === 0 ? fix : `The completed ticks are kept, so send only the rest. ${fix}`,
		details,
	});
}

/** Captures the current state of a world. The observation has at most `room` bytes. */
async function takeCapture(
	host: Host,
	entry: WorldEntry,
	{ observe, picture }: CaptureOrder,
	room: number,
): Promise<{ capture: Capture; bytes: number }> {
	const capture: Capture = { tick: entry.world.tick };
	let bytes = 0;
	if (observe != null) {
		const { value, length } = await readWithin(host, entry, '/observe', observe, room);
		capture.observed = value;
		bytes = length;
	}
	if (picture != null)
		capture.picture = await savePicture(host, entry, { hud: true, annotate: false, ...picture });
	const pause = host.pauseIfDue();
	if (pause !== undefined) await pause;
	return { capture, bytes };
}

/** Returns the answer of another read of the same world, and its size in bytes. Throws the read's refusal. */
async function readWithin(host: Host, entry: WorldEntry, path: string, body: object, room: number) {
	const answer = await host.answerInner({
		method: 'POST',
		path,
		body,
		world: entry.id,
		maxAnswerBytes: room,
	});
	const { body: bytes } = answer.response;
	const value = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
	if (answer.ok) return { value, length: bytes.length };
	throw new ApiError(value.code as ErrorCode, String(value.message), { fix: String(value.fix) });
}

/** Returns the choices of a step. Throws `only_in_forks` for main, which always samples from the odds that it announced. */
function chooserFactoryFor(
	host: Host,
	entry: WorldEntry,
	ticks: number,
	choices: readonly ChoiceOverride[],
): ChooserFactory {
	if (entry === host.worlds.main)
		throw new ApiError('only_in_forks', 'Choices are refused in the main world; only forks accept them.', {
			path: 'choices',
		});
	if (ticks === 0 && choices.length > 0)
		throw new ApiError('no_such_draw', 'The call runs no tick, so there are no draws to choose.', {
			fix: 'Send "ticks": 1.',
		});
	return overridingChoosers(entry.world, choices);
}

function drawsView({ choices, distribution_digest }: TracedTick) {
	const sampled = choices.map((choice) => ({
		...showChoice(choice),
		probability: writeFraction(choice.probability),
		p: toNumber(choice.probability),
	}));
	return { sampled, distribution_digest };
}

/** Returns the probability that a condition holds; branches that are not listed leave a range. */
function oddsOf({ exact, holding, covered }: Joint) {
	const rest = subtractFractions(fraction(1n), covered);
	return { exact, ...boundsOf(holding, exact ? holding : addFractions(holding, rest), exact) };
}

export const handlers = [
	handler(routes.peek, async ({ host, world }, { body }) => {
		if (body.ticks != null || body.until != null) return peekTicks(host, world, body);
		const copy = clone(world);
		try {
			const watch = body.condition == null ? null : watchOf(copy, body.condition, 'condition');
			watch?.find(copy);
			const holds = watch === null ? undefined : (after: World) => watch.holdsIn(after);
			const joint = await host.inSlices(
				jointDistribution(copy, body.max_branches, body.merge !== false, holds),
			);
			const factors = await host.inSlices(factorsOf(copy, joint));
			return {
				tick: copy.tick,
				next_tick: copy.tick + 1,
				state_digest: digest(copy),
				exact: joint.exact,
				covered: toNumber(joint.covered),
				covered_fraction: writeFraction(joint.covered),
				...(watch === null
					? {}
					: { condition: { ...oddsOf(joint), reading: sayStatement(watch.condition) } }),
				...warningsField(
					watch === null ? [] : conditionWarnings(copy, watch.condition, 'condition', 'statement'),
				),
				distribution: joint.distribution,
				factors,
				distribution_digest: distributionDigest(factors),
			};
		} finally {
			dispose(copy);
		}
	}),

	handler(routes.step, ({ host, entry }, { body }) => stepWorld(host, entry, body)),

	handler(routes.play, ({ host, entry }, { body }) => {
		host.setPlaying(entry, true, body.speed);
		return { message: 'playing', playing: true, speed: body.speed };
	}),

	handler(routes.pause, ({ host, entry }) => {
		host.setPlaying(entry, false);
		const stepping = host.calls.countStepping(entry, host.running);
		const steppingField = stepping === 0 ? {} : { stepping };
		const message = stepping === 0 ? 'paused' : 'paused, but calls of other agents still step the world';
		return { message, playing: false, speed: entry.speed, ...steppingField };
	}),
];
