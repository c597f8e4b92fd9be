/** Handlers of the tag Input. */

import { PLAYER_ACTIONS, type QueuedInput, type StepInput } from '../../shared/documents/input.ts';
import * as routes from '../../shared/routes/input.ts';
import { entityAt } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { atPath } from '../sim/documents/at-path.ts';
import {
	bindKey,
	contextOf,
	inputMapOf,
	popContext,
	pushContext,
	unbindKey,
} from '../sim/input/input-map.ts';
import { bindingWarnings, unplayedWarnings } from '../sim/input/input-warnings.ts';
import { inputsOf, playerOf, queueInputs, resolveInput, type SentInput } from '../sim/input/inputs.ts';
import { handler } from './handler.ts';
import { warningsField } from './warnings-field.ts';

type InputBody = Partial<Omit<StepInput, 'at'>> & { readonly tick?: number | null | undefined };
type InputSignal = Pick<SentInput, 'phase' | 'value' | 'ticks'>;

/** Returns the input that a body describes. */
function inputOf(world: World, body: InputBody, signal: InputSignal): QueuedInput {
	const { key = null, action = null, entity_id, entity_generation, target_id, target_generation } = body;
	const namedEntity = entity_id == null ? null : entityAt(world, entity_id, entity_generation);
	const target = target_id == null ? null : entityAt(world, target_id, target_generation);
	const entity = playerOf(world, namedEntity);
	return resolveInput(world, {
		...signal,
		key,
		action,
		entity,
		target,
		point: body.point ?? null,
		tick: body.tick ?? null,
	});
}

/** Queues the input that a body describes. */
function queueInput(world: World, body: InputBody, signal: InputSignal): QueuedInput {
	const input = inputOf(world, body, signal);
	queueInputs(world, [input]);
	return input;
}

const RELEASE_SIGNAL: InputSignal = { phase: 'released', value: 0, ticks: null };
const moveSignal = (value: number, ticks: number | null | undefined): InputSignal => ({
	phase: 'moved',
	value,
	ticks: ticks ?? null,
});
const pressSignal = ({ ticks, hold }: InputBody): InputSignal => ({
	phase: 'pressed',
	value: 1,
	ticks: hold === true ? null : (ticks ?? 1),
});

/** Queues the inputs of a step, each `at` ticks after the start of the step. Returns warnings. */
export function queueStepInputs(world: World, inputs: readonly StepInput[]): string[] {
	const resolved = inputs.map(({ at, ...sent }, index) => {
		const signal =
			sent.release === true
				? RELEASE_SIGNAL
				: sent.value == null
					? pressSignal(sent)
					: moveSignal(sent.value, sent.ticks);
		return atPath(`inputs[${index}]`, () => inputOf(world, { ...sent, tick: world.tick + at }, signal));
	});
	queueInputs(world, resolved);
	return [...new Set(resolved.flatMap((input) => unplayedWarnings(input)))];
}

const inputName = ({ action, key }: QueuedInput): string => (key === null ? action : `${key} (${action})`);

function inputAnswer(verb: string, input: QueuedInput) {
	const { action, entity, tick } = input;
	const byEntity = entity === null ? '' : ` by entity ${entity.id}`;
	return {
		message: `${inputName(input)} is ${verb} on tick ${tick}${byEntity}.`,
		action,
		entity_id: entity?.id ?? null,
		entity_generation: entity?.generation ?? null,
		tick,
		...warningsField(unplayedWarnings(input)),
	};
}

export const handlers = [
	handler(routes.bindInput, ({ world }, { body: { key, action, context } }) => {
		const contextName = context ?? contextOf(world);
		const replaced = bindKey(world, { key, action, context: contextName });
		const message =
			world.profile === 'bare'
				? 'A bare host has no bindings, so nothing was bound.'
				: `${key} is bound to ${action}.`;
		return {
			message,
			key,
			action,
			context: contextName,
			replaced,
			...warningsField(bindingWarnings(action)),
		};
	}),

	handler(routes.unbindInput, ({ world }, { body: { key, context } }) => {
		const contextName = context ?? contextOf(world);
		const action = unbindKey(world, key, contextName);
		return { message: `${key} is no longer bound to ${action}.`, key, action, context: contextName };
	}),

	handler(routes.listInput, ({ world }) => {
		const { bindings, contexts } = inputMapOf(world);
		const { held, queue: waiting } = inputsOf(world);
		return {
			bindings: [...bindings],
			count: bindings.length,
			contexts: [...contexts],
			held: held.map(({ entity, ...heldInput }) => ({
				entity_id: entity?.id ?? null,
				entity_generation: entity?.generation ?? null,
				...heldInput,
			})),
			waiting: waiting.length,
			actions: Object.entries(PLAYER_ACTIONS).map(([action, does]) => ({ action, does })),
		};
	}),

	handler(routes.pushContext, ({ world }, { body: { context } }) => {
		pushContext(world, context);
		return { message: `The context "${context}" is active.`, contexts: [...inputMapOf(world).contexts] };
	}),

	handler(routes.popContext, ({ world }) => {
		const context = popContext(world);
		const contexts = [...inputMapOf(world).contexts];
		return { message: `The context "${contexts.at(-1)!}" is active again.`, context, contexts };
	}),

	handler(routes.pressInput, ({ world }, { body }) => {
		const input = queueInput(world, body, pressSignal(body));
		const until = input.ticks === null ? null : input.tick + input.ticks;
		return { ...inputAnswer('pressed', input), until };
	}),

	handler(routes.releaseInput, ({ world }, { body }) =>
		inputAnswer('released', queueInput(world, body, RELEASE_SIGNAL)),
	),

	handler(routes.moveAxis, ({ world }, { body }) => {
		const input = queueInput(world, body, moveSignal(body.value, body.ticks));
		return { ...inputAnswer(`moved to ${body.value}`, input), value: body.value };
	}),
];
