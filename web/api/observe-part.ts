/**
 * Answers with a part of a world: some entities, some fields, within a budget.
 * Owns: the order of entities, and the limit of an answer's length.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Input } from '../../shared/contract/route.ts';
import type { observe } from '../../shared/routes/world.ts';
import { dispose } from '../sim/core/clone.ts';
import { entityAt } from '../sim/core/entities.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { entityReader } from '../sim/observe/read-out.ts';
import { globalPosition } from '../sim/space/global-position.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { fieldsReader, requireFields } from './entity-fields.ts';
import { RawAnswer } from './raw-answer.ts';
import { stampOf } from './world-stamp.ts';

export type ObserveBody = Input<typeof observe>['body'];

/** Average number of characters per token of a language model. */
const CHARACTERS_PER_TOKEN = 4;

/** Returns true if the body has a parameter that selects a part of the world. */
export function selectsPart({ fields, near, since, limit, cursor, budget }: ObserveBody): boolean {
	return [fields, near, since, limit, cursor, budget].some((candidate) => candidate != null);
}

/** Returns true if the answer may depend on the world of an earlier tick. */
export const needsEarlierWorld = ({ since, budget, near }: ObserveBody): boolean =>
	since != null || (budget != null && near == null);

/**
 * Returns the world of an earlier tick, if the answer depends on one: the tick `since`, or the previous tick, to list changed
 * entities first. Throws `journal_cut` and `no_moment` for `since`.
 */
export async function findEarlierWorld(
	host: Host,
	entry: WorldEntry,
	request: ObserveBody,
): Promise<Uint8Array | null> {
	const { tick } = entry.world;
	if (request.since != null) {
		if (request.since === tick) return null;
		return (await host.findPastWorld({ world: entry.id, tick: request.since })).bytes;
	}
	if (tick === 0) return null;
	return host.findPastWorld({ world: entry.id, tick: tick - 1 }).then(
		({ bytes }) => bytes,
		(error: unknown) => {
			// If the journal does not contain the previous tick, entities are in the order of their ids.
			if (error instanceof ApiError) return null;
			throw error;
		},
	);
}

/** Returns the ids of entities that are new or differ from an earlier world. */
function changedFrom(bytes: Uint8Array, world: World): Set<number> {
	const earlierWorld = loadWorld(bytes, world.assets);
	try {
		const { changed, spawned } = diffWorlds(earlierWorld, world, Number.POSITIVE_INFINITY);
		return new Set([...changed, ...spawned].map(({ id }) => id));
	} finally {
		dispose(earlierWorld);
	}
}

/** Sorts entities by their distance to a point or an entity, and then by id. */
function nearestFirst(
	world: World,
	ids: readonly number[],
	near: NonNullable<ObserveBody['near']>,
): number[] {
	const from = typeof near === 'number' ? globalPosition(world, entityAt(world, near).id) : near;
	const distance = new Map(
		ids.map((id) => {
			const position = globalPosition(world, id);
			return [id, [0, 1, 2].reduce((sum, axis) => sum + (position[axis]! - from[axis]!) ** 2, 0)];
		}),
	);
	return [...ids].sort((a, b) => distance.get(a)! - distance.get(b)! || a - b);
}

/**
 * Returns the position in the list at which an earlier answer ended. Throws `invalid_body` if the world has changed since then.
 */
function offsetOf(digest: string, cursor: string | null | undefined): number {
	if (cursor == null) return 0;
	const [digestOfCursor, offset] = cursor.split('.');
	if (digestOfCursor === digest && /^\d+$/.test(offset ?? '')) return Number(offset);
	throw new ApiError('invalid_body', 'cursor: the world is not that of the answer with this cursor.', {
		fix: 'Omit the cursor to begin again.',
		path: 'cursor',
	});
}

/** Sorts the entities of an answer. `ids`: those that the caller sees and that match the filter. */
function sortedIds(
	world: World,
	ids: readonly number[],
	request: ObserveBody,
	earlier: Uint8Array | null,
): number[] {
	const changed = earlier === null ? new Set<number>() : changedFrom(earlier, world);
	const changedIds = request.since == null ? ids : ids.filter((id) => changed.has(id));
	if (request.near != null) return nearestFirst(world, changedIds, request.near);
	return [...changedIds].sort((a, b) => Number(changed.has(b)) - Number(changed.has(a)) || a - b);
}

/** Returns the JSON of an answer from the texts of its entities and the number of omitted ones. */
type AnswerWriter = (texts: readonly string[], omittedCount: number) => string;

function answerWriter(
	head: object,
	fields: readonly string[] | null,
	digest: string,
	start: number,
): AnswerWriter {
	return (texts, omittedCount) => {
		const rest =
			omittedCount === 0 ? {} : { left_out: omittedCount, next: `${digest}.${start + texts.length}` };
		const columns = fields === null ? {} : { columns: ['id', ...fields] };
		const answer = JSON.stringify({ ok: true, ...head, ...rest, ...columns }).slice(0, -1);
		const list = `[${texts.join(',')}]`;
		return fields === null ? `${answer},"entities":${list}}` : `${answer},"rows":${list},"entities":[]}`;
	};
}

/** Returns the entities in the requested order and form, as many as the budget permits. Works in slices. */
export function* observePart(
	world: World,
	ids: readonly number[],
	request: ObserveBody,
	head: object,
	earlier: Uint8Array | null,
): SlicedWork<RawAnswer> {
	const fields = request.fields ?? null;
	if (fields !== null) requireFields(fields, 'fields');
	const { state_digest } = stampOf(world);
	const start = offsetOf(state_digest, request.cursor);
	const pageIds = sortedIds(world, ids, request, earlier).slice(start);
	const writeAnswer = answerWriter(head, fields, state_digest, start);
	const maxCharacters =
		request.budget == null ? Number.POSITIVE_INFINITY : request.budget * CHARACTERS_PER_TOKEN;
	const emptyAnswer = writeAnswer([], pageIds.length);
	if (emptyAnswer.length > maxCharacters)
		throw new ApiError('invalid_body', 'budget: the answer is longer without any entity.', {
			fix: `Send a budget of at least ${Math.ceil(emptyAnswer.length / CHARACTERS_PER_TOKEN)}.`,
			path: 'budget',
		});
	const read = fields === null ? entityReader(world) : rowReader(world, fields);
	const texts: string[] = [];
	// The next cursor may have more digits than the first one.
	let remainingCharacters = maxCharacters - emptyAnswer.length - String(start + pageIds.length).length;
	for (const id of pageIds) {
		if (texts.length === request.limit) break;
		const text = JSON.stringify(read(id));
		remainingCharacters -= text.length + 1;
		if (remainingCharacters < 0) break;
		texts.push(text);
		if (texts.length % SLICE === 0) yield;
	}
	const headers = { 'content-type': 'application/json' };
	const body = encoder.encode(writeAnswer(texts, pageIds.length - texts.length));
	return new RawAnswer({ status: 200, headers, body });
}
/** Number of entities that are read without a pause. */
const SLICE = 1024;
const encoder = new TextEncoder();

function rowReader(world: World, fields: readonly string[]): (id: number) => unknown[] {
	const read = fieldsReader(world, fields);
	return (id) => [id, ...read(id)];
}
