/**
 * Events of the last minutes of a world, as marks on its timeline, and the ruler below them.
 * Owns: the entries and events with a mark, the texts of marks, and the shown span of time. Never: draws or calls the engine.
 */

import type { Answer } from '../../../../shared/contract/route.ts';
import type { streamEvents } from '../../../../shared/routes/operations.ts';
import { senderOf } from '../../calls/call-ring.ts';
import { formatNumber } from '../../numbers.ts';
import { callWords, type NameOf } from '../call-words.ts';
import type { Entry } from '../history-lines.ts';

export type TimelineEvent = Answer<typeof streamEvents>['events'][number];

export type MarkKind = 'you' | 'agent' | 'fall' | 'snapshot' | 'fork';

export const MARK_KINDS: readonly (readonly [kind: MarkKind, word: string])[] = [
	['you', 'your step'],
	['agent', 'agent call'],
	['fall', 'fall'],
	['snapshot', 'snapshot'],
	['fork', 'fork'],
];

export interface TimelineMark {
	readonly tick: number;
	readonly kind: MarkKind;
	readonly words: string;
}

const TICKS_PER_SECOND = 60;
/** Maximum and minimum length of the shown span (ticks). */
const LONGEST = 3 * 60 * TICKS_PER_SECOND;
const SHORTEST = 10 * TICKS_PER_SECOND;
/** Distances of the labels (s). */
const STEPS = [1, 2, 5, 10, 30, 60];
/** Width of a label, and of a mark, with the room around it (CSS pixels). */
const LABEL_PX = 72;
const MARK_PX = 12;

export interface Span {
	readonly from: number;
	readonly to: number;
}

/** Returns the shown span of ticks for a world at tick `now`. */
export function spanOf(now: number): Span {
	const from = Math.max(0, now - LONGEST);
	return { from, to: Math.max(now, from + SHORTEST) };
}

/** Returns the place of a tick as a share of the width. */
export const shareOf = (tick: number, { from, to }: Span): number => (tick - from) / (to - from);

/** Returns the tick at a share of the width, at most `now`. */
export function tickAt(share: number, { from, to }: Span, now: number): number {
	return Math.min(now, Math.max(from, Math.round(from + share * (to - from))));
}

/** Returns the ticks that have a label on a timeline of this width (CSS pixels). Each has room before the right end. */
export function labelsOf(span: Span, width: number): readonly number[] {
	const { from, to } = span;
	const seconds = (to - from) / TICKS_PER_SECOND;
	const isRoomy = (candidate: number) => (candidate / seconds) * width >= LABEL_PX;
	const step = (STEPS.find(isRoomy) ?? Math.ceil(seconds)) * TICKS_PER_SECOND;
	const first = Math.ceil(from / step) * step;
	const ticks = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step);
	return ticks.filter((tick) => (1 - shareOf(tick, span)) * width >= LABEL_PX);
}

/**
 * Returns the marks that have room side by side on a timeline of this width (CSS pixels). Of those of a kind that would
 * overlap, the last stands for all.
 */
export function thinned(marks: readonly TimelineMark[], span: Span, width: number): readonly TimelineMark[] {
	const groups: TimelineMark[][] = [];
	const latest = new Map<MarkKind, TimelineMark[]>();
	for (const mark of marks) {
		const group = latest.get(mark.kind);
		const isNear =
			group !== undefined && (shareOf(mark.tick, span) - shareOf(group[0]!.tick, span)) * width < MARK_PX;
		if (isNear) group.push(mark);
		else {
			latest.set(mark.kind, [mark]);
			groups.push(latest.get(mark.kind)!);
		}
	}
	return groups.map((group) => {
		const last = group.at(-1)!;
		if (group.length === 1) return last;
		const count = `${formatNumber(group.length)} from tick ${formatNumber(group[0]!.tick)} on`;
		return { ...last, words: `${count}, the last: ${last.words}` };
	});
}

/** Calls without a mark, because the ruler shows time, and undo removes a mark. */
const NO_STEP = /^\/(step|undo|redo|play|pause|fork|history)\b/;

/**
 * Returns the marks of a world's entries and events in a span, oldest first, with one mark for each kind on a tick.
 * `timelineMarks` has the snapshots and forks of the world.
 */
export function marksOf(
	entries: readonly Entry[],
	events: readonly TimelineEvent[],
	timelineMarks: readonly TimelineMark[],
	world: string,
	{ from, to }: Span,
	nameOf: NameOf,
): readonly TimelineMark[] {
	const found = new Map<string, { tick: number; kind: MarkKind; words: string[] }>();
	const mark = (tick: number, kind: MarkKind, words: string): void => {
		if (tick < from || tick > to) return;
		const key = `${tick} ${kind}`;
		const same = found.get(key);
		if (same === undefined) found.set(key, { tick, kind, words: [words] });
		else same.words.push(words);
	};
	for (const { kind, worlds, method = '', path = '', sender = '', door = '' } of entries) {
		const worldTick = worlds.find((candidate) => candidate.world === world);
		if (kind !== 'call' || worldTick === undefined || NO_STEP.test(path)) continue;
		const by = senderOf({ sender, door }).kind === 'you' ? 'you' : 'agent';
		mark(worldTick.tick, by, callWords(method, path, undefined, nameOf));
	}
	for (const { tick, kind, words } of timelineMarks) mark(tick, kind, words);
	for (const { type, tick, entity, entity_name } of events) {
		if (type !== 'DeathEvent') continue;
		const name = entity_name ?? (typeof entity === 'number' ? nameOf(entity) : 'an entity');
		mark(tick, 'fall', `${name} fell`);
	}
	return [...found.values()]
		.sort((a, b) => a.tick - b.tick)
		.map(({ tick, kind, words }) => ({
			tick,
			kind,
			words: words.length > 3 ? `${formatNumber(words.length)} calls` : words.join(', '),
		}));
}
