/**
 * A part of a world: some entities, some fields, within a budget.
 * Owns: their order, and that an answer is never longer than its budget.
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

/** Characters of a token, as language models count them on average. */
const TOKEN = 4;

/** Returns true if a parameter is given that makes the answer a part. */
export function asksForPart({ fields, near, since, limit, cursor, budget }: ObserveBody): boolean {
	return [fields, near, since, limit, cursor, budget].some((candidate) => candidate != null);
}

/** Returns true if the answer may depend on the world of an earlier tick. */
export const needsEarlier = ({ since, budget, near }: ObserveBody): boolean =>
	since != null || (budget != null && near == null);

/**
 * Returns the world of an earlier tick, if the answer depends on one: that of `since`, or the last one to find what
 * changed last. Throws `journal_cut` and `no_moment` for `since`.
 */
export async function earlierFor(
	host: Host,
	entry: WorldEntry,
	request: ObserveBody,
): Promise<Uint8Array | null> {
	const { tick } = entry.world;
	if (request.since != null) {
		if (request.since === tick) return null;
		return (await host.moment({ world: entry.id, tick: request.since })).bytes;
	}
	if (tick === 0) return null;
	return host.moment({ world: entry.id, tick: tick - 1 }).then(
		({ bytes }) => bytes,
		(error: unknown) => {
			// A journal that does not reach back leaves the order of ids.
			if (error instanceof ApiError) return null;
			throw error;
		},
	);
}

/** Returns the ids of the entities that differ from an earlier world, new ones too. */
function changedFrom(bytes: Uint8Array, world: World): Set<number> {
	const then = loadWorld(bytes, world.assets);
	try {
		const { changed, spawned } = diffWorlds(then, world, Number.POSITIVE_INFINITY);
		return new Set([...changed, ...spawned].map(({ id }) => id));
	} finally {
		dispose(then);
	}
}

/** Returns the entities nearest to a point or an entity first; equal distances in the order of ids. */
function nearestFirst(
	world: World,
	ids: readonly number[],
	near: NonNullable<ObserveBody['near']>,
): number[] {
	const from = typeof near === 'number' ? globalPosition(world, entityAt(world, near).id) : near;
	const distance = new Map(
		ids.map((id) => {
			const at = globalPosition(world, id);
			return [id, [0, 1, 2].reduce((sum, axis) => sum + (at[axis]! - from[axis]!) ** 2, 0)];
		}),
	);
	return [...ids].sort((a, b) => distance.get(a)! - distance.get(b)! || a - b);
}

/**
 * Returns the position in the list where an earlier answer ended. Throws `invalid_body` if the world has changed
 * since.
 */
function offsetOf(digest: string, cursor: string | null | undefined): number {
	if (cursor == null) return 0;
	const [of, offset] = cursor.split('.');
	if (of === digest && /^\d+$/.test(offset ?? '')) return Number(offset);
	throw new ApiError('invalid_body', 'cursor: the world is not that of the answer with this cursor.', {
		fix: 'Omit the cursor to begin again.',
		path: 'cursor',
	});
}

/** Returns the entities of an answer in their order. `ids`: those that the caller sees and that match the filter. */
function inOrder(
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

/** The answer, and the texts of its list with the number of entities that are left out. */
type Frame = (texts: readonly string[], left: number) => string;

function frameFor(head: object, fields: readonly string[] | null, digest: string, start: number): Frame {
	return (texts, left) => {
		const rest = left === 0 ? {} : { left_out: left, next: `${digest}.${start + texts.length}` };
		const columns = fields === null ? {} : { columns: ['id', ...fields] };
		const answer = JSON.stringify({ ok: true, ...head, ...rest, ...columns }).slice(0, -1);
		const list = `[${texts.join(',')}]`;
		return fields === null ? `${answer},"entities":${list}}` : `${answer},"rows":${list},"entities":[]}`;
	};
}

/** Returns the entities in the order and form that are asked for, as many as there is room for, in slices. */
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
	const pageIds = inOrder(world, ids, request, earlier).slice(start);
	const frame = frameFor(head, fields, state_digest, start);
	const most = request.budget == null ? Number.POSITIVE_INFINITY : request.budget * TOKEN;
	const shortest = frame([], pageIds.length);
	if (shortest.length > most)
		throw new ApiError('invalid_body', 'budget: the answer is longer without any entity.', {
			fix: `Send a budget of at least ${Math.ceil(shortest.length / TOKEN)}.`,
			path: 'budget',
		});
	const read = fields === null ? entityReader(world) : rowReader(world, fields);
	const texts: string[] = [];
	// The digits of the next cursor may be more than those of the first.
	let room = most - shortest.length - String(start + pageIds.length).length;
	for (const id of pageIds) {
		if (texts.length === request.limit) break;
		const text = JSON.stringify(read(id));
		room -= text.length + 1;
		if (room < 0) break;
		texts.push(text);
		if (texts.length % SLICE === 0) yield;
	}
	const headers = { 'content-type': 'application/json' };
	const body = encoder.encode(frame(texts, pageIds.length - texts.length));
	return new RawAnswer({ status: 200, headers, body });
}
/** Entities that are read without a stop. */
const SLICE = 1024;
const encoder = new TextEncoder();

function rowReader(world: World, fields: readonly string[]): (id: number) => unknown[] {
	const read = fieldsReader(world, fields);
	return (id) => [id, ...read(id)];
}
