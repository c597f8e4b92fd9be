/** Handlers of the tag Discovery and ops. */

import { components } from '../../shared/components/index.ts';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { openApiDocument, schemaDocument } from '../../shared/contract/documents.ts';
import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/operations.ts';
import { queueDamage } from '../sim/combat/damage.ts';
import { entityAt } from '../sim/core/entities.ts';
import { emit, pending, type SentEvent } from '../sim/core/events.ts';
import { shortest } from '../sim/core/float32.ts';
import { diagnose } from '../sim/diagnose/diagnose.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';

type Shown =
	| { type: 'DamageEvent'; target: number; amount: number; source: number | null }
	| { type: 'DeathEvent'; entity: number; killer: number | null }
	| { type: 'CollisionEvent'; a: number; b: number; started: boolean }
	| { type: 'SignalEvent'; name: string; data: unknown };

const ORDER = ['DamageEvent', 'DeathEvent', 'CollisionEvent', 'SignalEvent'];

function show({ kind, data }: SentEvent): Shown {
	switch (kind) {
		case 'damage': {
			const { target, amount, source } = data as SentEvent<'damage'>['data'];
			return { type: 'DamageEvent', target: target.id, amount: shortest(amount), source: source?.id ?? null };
		}
		case 'death': {
			const { entity, killer } = data as SentEvent<'death'>['data'];
			return { type: 'DeathEvent', entity: entity.id, killer: killer?.id ?? null };
		}
		case 'collision': {
			const { a, b, started } = data as SentEvent<'collision'>['data'];
			return { type: 'CollisionEvent', a: a.id, b: b.id, started };
		}
		case 'signal': {
			const { name, data: carried } = data as SentEvent<'signal'>['data'];
			return { type: 'SignalEvent', name, data: carried };
		}
	}
}

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
		const events = pending(world)
			.map(show)
			.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
		return { events, count: events.length };
	}),

	handler(routes.postEvent, ({ world }, { body }) => {
		if (body.type === 'SignalEvent') emit(world, 'signal', { name: body.name, data: body.data });
		else {
			const source = body.source == null ? null : entityAt(world, body.source);
			queueDamage(world, entityAt(world, body.target), body.amount, source);
		}
		return { message: `Sent at tick ${world.tick}.` };
	}),

	handler(routes.getProfile, ({ host }) => ({ ...host.timing() })),

	handler(routes.getGpu, ({ host }) => {
		const info = host.gpu();
		if (info === null) throw new Fault('no_gpu', 'Nothing draws here.');
		return { ...info, capabilities: { ...info.capabilities } };
	}),
];
