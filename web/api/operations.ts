/** Handlers of the tag Discovery and ops. */

import { components } from '../../shared/components/index.ts';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { openApiDocument, schemaDocument } from '../../shared/contract/documents.ts';
import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/operations.ts';
import { queueDamage } from '../sim/combat/damage.ts';
import { entityAt } from '../sim/core/entities.ts';
import { EVENT_KINDS, type EventKind, emit, pending, type SentEvent } from '../sim/core/events.ts';
import { shortest } from '../sim/core/float32.ts';
import { diagnose } from '../sim/diagnose/diagnose.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';

/** `rule_spawn` -> `RuleSpawnEvent` */
function typeOf(kind: EventKind): string {
	const words = kind.split('_').map((word) => word[0]!.toUpperCase() + word.slice(1));
	return `${words.join('')}Event`;
}

/** An event as the wire shows it: entities by their ids. */
function show({ kind, data }: SentEvent): { type: string } & Record<string, unknown> {
	const shown: { type: string } & Record<string, unknown> = { type: typeOf(kind) };
	for (const [name, value] of Object.entries(data)) {
		const isHandle = typeof value === 'object' && value !== null && 'id' in value && 'generation' in value;
		const isNarrow = typeof value === 'number' && Math.fround(value) === value;
		shown[name] = isHandle ? value.id : isNarrow ? shortest(value) : value;
	}
	return shown;
}

const rank = ({ kind }: SentEvent) => EVENT_KINDS.indexOf(kind);

export const handlers = [
	handler(routes.getSchema, ({ host }) => schemaDocument(host.routes, components) as never),

	handler(routes.getOpenApi, ({ host }) => new RawAnswer(jsonResponse(200, openApiDocument(host.routes)))),

	handler(routes.diagnose, ({ world }) => {
		const { warnings, info } = diagnose(world);
		return {
			warnings,
			warning_count: warnings.length,
			info,
			entity_count: world.entities.count,
		};
	}),

	handler(routes.getEvents, ({ world }) => {
		const events = [...pending(world)].sort((a, b) => rank(a) - rank(b)).map(show);
		return { events, count: events.length };
	}),

	handler(routes.postEvent, ({ world }, { body }) => {
		if (body.type === 'SignalEvent') emit(world, 'signal', { name: body.name, data: body.data });
		else {
			const source = body.source == null ? null : entityAt(world, body.source);
			queueDamage(world, entityAt(world, body.target), body.amount, source, body.category);
		}
		return { message: `Sent at tick ${world.tick}.` };
	}),

	handler(routes.getNetStatus, () => ({
		active: false as const,
		message: 'There is no multiplayer: every caller talks to the one world of this engine.',
	})),

	handler(routes.getProfile, ({ host }) => ({ ...host.timing() })),

	handler(routes.getGpu, ({ host }) => {
		const info = host.gpu();
		if (info === null) throw new Fault('no_gpu', 'Nothing draws here.');
		return { ...info, capabilities: { ...info.capabilities } };
	}),
];
