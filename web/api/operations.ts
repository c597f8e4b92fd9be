/** Handlers of the tag Discovery and ops. */

import { components } from '../../shared/components/index.ts';
import { openApiDocument } from '../../shared/contract/api-documents.ts';
import { compactSchema } from '../../shared/contract/compact-schema.ts';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { type EventData, mayLack, namesEntity } from '../../shared/contract/event.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Route } from '../../shared/contract/route.ts';
import { noSuchRoute } from '../../shared/contract/router.ts';
import { eventDocuments, schemaDocument } from '../../shared/contract/schema-document.ts';
import { sendableEvent } from '../../shared/documents/event.ts';
import { DamageDealt } from '../../shared/events/damage.ts';
import { events } from '../../shared/events/index.ts';
import * as routes from '../../shared/routes/operations.ts';
import { queueDamage } from '../sim/combat/damage.ts';
import { entityAt } from '../sim/core/entities.ts';
import { emit } from '../sim/core/events.ts';
import { diagnoseWorld } from '../sim/diagnose/diagnose.ts';
import { readableEvents } from '../store/event-view.ts';
import { cursorOf, filterOf, pieceOf, streamOf } from './event-piece.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';
import { readOnCopy } from './read-on-copy.ts';

/** Returns a plain text if the caller accepts one; otherwise a JSON object with the text. */
function textAnswer(text: string, accept: string) {
	if (!/text\/(plain|\*)|\*\/\*/.test(accept)) return { text };
	const headers = { 'content-type': TEXT };
	return new RawAnswer({ status: 200, headers, body: encoder.encode(`${text}\n`) });
}
const TEXT = 'text/plain';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** OpenAPI documents by their routes. Building one takes half a second, so it is kept. */
const openApiDocuments = new WeakMap<readonly Route[], ReturnType<typeof openApiDocument>>();

function openApiOf(routeList: readonly Route[]) {
	const document = openApiDocuments.get(routeList) ?? openApiDocument(routeList);
	openApiDocuments.set(routeList, document);
	return document;
}

/** Loads the search with the recipes. A page that only shows a world needs neither. */
const loadSearch = () => import('./schema-search.ts');

export const handlers = [
	handler(routes.getSchema, async ({ host, accept }, { query: { brief, form, q, ...parts } }) => {
		const isCompact = form === 'compact' || accept.includes(TEXT);
		if (q != null) {
			const { resultLines, guideEntries, searchSchema } = await loadSearch();
			const index = await host.readPublic('guide/index.md');
			const pages = index === null ? [] : guideEntries(decoder.decode(index));
			const results = searchSchema(host.routes, pages, q);
			return isCompact ? textAnswer(resultLines(results.found), accept) : results;
		}
		const [path, definition, component] = [parts.path, parts.definition, parts.component].map(
			(part) => part ?? undefined,
		);
		const part = { path, definition, component };
		if (isCompact) return textAnswer(compactSchema(host.routes, components, part), accept);
		const document = schemaDocument(host.routes, components, { ...part, brief });
		if (path !== undefined && Object.keys(document.endpoints).length === 0)
			throw noSuchRoute(path, host.routes);
		const partName = path ?? definition ?? component;
		return { ...document, events: partName === undefined ? eventDocuments(events) : [] };
	}),

	handler(routes.getRecipes, async (_, { query: { q, name } }) => {
		const { recipes } = await import('../../shared/recipes/index.ts');
		if (name != null && !recipes.some((recipe) => recipe.name === name))
			throw new ApiError('bad_query', `There is no recipe "${name}".`, {
				fix: suggestion(
					name,
					recipes.map((recipe) => recipe.name),
				),
				path: 'name',
			});
		const matches = q == null ? recipes : (await loadSearch()).searchRecipes(q);
		const recipeViews = matches
			.filter((recipe) => name == null || recipe.name === name)
			.map(({ name: recipeName, title, about, holds, requests }) => ({
				name: recipeName,
				title,
				about,
				...(name == null ? {} : { holds, batch: { requests: requests.map((request) => ({ ...request })) } }),
			}));
		return { recipes: recipeViews, count: recipeViews.length };
	}),

	handler(routes.getOpenApi, ({ host, authority }) => {
		// Without a known address, the server is the origin of the document.
		const server = authority === undefined ? '/' : `http://${authority}`;
		return new RawAnswer(jsonResponse(200, { ...openApiOf(host.routes), servers: [{ url: server }] }));
	}),

	handler(routes.diagnose, async ({ host, world }) => {
		const { warnings, info, rules } = await readOnCopy(host, world, diagnoseWorld);
		return {
			rules: rules.map(({ parts, warnings, ...rule }) => ({
				...rule,
				parts: [...parts],
				warnings: [...warnings],
			})),
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

	handler(routes.streamEvents, async ({ host, entry, accept }, { query }) => {
		const after = cursorOf(entry, query.since ?? undefined);
		const filter = { accepts: filterOf(query.events, query.entity), max: query.limit };
		const read = await host.eventsAfter(entry.id, after, filter, query.wait * 1000);
		const piece = pieceOf(read, after);
		const { tick } = entry.world;
		if (/text\/(event-stream|\*)|\*\/\*/.test(accept)) return new RawAnswer(streamOf(piece, tick));
		return { tick, ...piece, count: piece.events.length };
	}),

	handler(routes.postEvent, ({ world }, { body }) => {
		const { type: title, ...fields } = body;
		const type = sendableEvent(title);
		const data: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(type.fields)) {
			const { [name]: value } = fields;
			if (value == null && mayLack(field)) continue;
			data[name] = value != null && namesEntity(field) ? entityAt(world, value as number) : (value ?? null);
		}
		if (type.kind === DamageDealt.kind) {
			const { target, amount, source, category } = data as EventData<typeof DamageDealt>;
			queueDamage(world, target, amount, source, category);
		} else emit(world, type, data);
		return { message: `Sent at tick ${world.tick}.` };
	}),

	handler(routes.endEngine, () => {
		throw new ApiError(
			'not_allowed',
			'Only the server can end an engine, and this call did not come through it.',
			{ fix: 'Send the call to the server, or close the tab that runs the engine.' },
		);
	}),

	handler(routes.watch, ({ host }, { query }) => host.watch(query.after, query.change, query.wait * 1000)),

	handler(routes.getNetStatus, () => ({
		active: false as const,
		message: 'There is no multiplayer: all callers use the same engine.',
	})),

	handler(routes.getProfile, ({ host }) => ({ ...host.timing() })),

	handler(routes.getGpu, async ({ host }) => {
		const info = await host.gpu();
		if (info === null) throw new ApiError('no_gpu', 'This host does not draw.');
		return { ...info, capabilities: { ...info.capabilities }, quality: { ...info.quality } };
	}),
];
