/** Handlers of the tag Discovery and ops. */

import { components } from '../../shared/components/index.ts';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { openApiDocument } from '../../shared/contract/documents.ts';
import { Fault } from '../../shared/contract/errors.ts';
import { noSuchRoute } from '../../shared/contract/router.ts';
import { eventDocuments, schemaDocument } from '../../shared/contract/schema-document.ts';
import { events } from '../../shared/events/index.ts';
import { Signal } from '../../shared/events/signal.ts';
import * as routes from '../../shared/routes/operations.ts';
import { queueDamage } from '../sim/combat/damage.ts';
import { entityAt } from '../sim/core/entities.ts';
import { emit } from '../sim/core/events.ts';
import { diagnose } from '../sim/diagnose/diagnose.ts';
import { readableEvents } from './event-view.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';

export const handlers = [
	handler(routes.getSchema, ({ host }, { query: { brief, ...asked } }) => {
		const [path, definition, component] = [asked.path, asked.definition, asked.component].map(
			(part) => part ?? undefined,
		);
		const document = schemaDocument(host.routes, components, { path, definition, component, brief });
		if (path !== undefined && Object.keys(document.endpoints).length === 0)
			throw noSuchRoute(path, host.routes);
		const whole = path ?? definition ?? component;
		return { ...document, events: whole === undefined ? eventDocuments(events) : [] };
	}),

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
		const readable = readableEvents(world);
		return { events: readable, count: readable.length };
	}),

	handler(routes.postEvent, ({ world }, { body }) => {
		const source = body.source == null ? null : entityAt(world, body.source);
		if (body.type === 'SignalEvent') {
			const { name, data } = body;
			const about = body.entity == null ? {} : { entity: entityAt(world, body.entity) };
			emit(world, Signal, { name, data, ...about, ...(source === null ? {} : { source }) });
		} else queueDamage(world, entityAt(world, body.target), body.amount, source, body.category);
		return { message: `Sent at tick ${world.tick}.` };
	}),

	handler(routes.watch, ({ host }, { query }) => host.watch(query.after)),

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
