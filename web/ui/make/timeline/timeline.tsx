/**
 * The timeline of the selected world: its last minutes, which a person can view and branch from.
 * Owns: its pointer events and keys. `timeline-state.ts` restores a tick.
 */

import './timeline.css';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../drawn/icon.tsx';
import { entityLabel } from '../../entities/entity.ts';
import { formatNumber, formatTime } from '../../numbers.ts';
import { ask } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { useHistory } from '../use-history.ts';
import {
	labelsOf,
	MARK_KINDS,
	marksOf,
	shareOf,
	spanOf,
	type TimelineEvent,
	type TimelineMark,
	thinned,
	tickAt,
} from './timeline-marks.ts';

/** Maximum number of events to read. */
const MAX_EVENTS = 1000;
/** Distance at which a mark is under the pointer (pixels). */
const NEAR_PX = 6;

interface TimelineEvents {
	readonly world: string;
	readonly deaths: readonly TimelineEvent[];
	readonly snapshots: readonly TimelineMark[];
}

/** Returns deaths of the last minutes, and snapshots. They are read again for each new `journal`. */
function useHappened(world: string, from: number, journal: object | null): TimelineEvents {
	const { services } = usePanels();
	const [read, setRead] = useState<TimelineEvents>({ world, deaths: [], snapshots: [] });
	useEffect(() => {
		if (journal === null) return;
		let isStale = false;
		const about = { world, on: 'panels' } as const;
		const query = { since: String(from), events: 'death', limit: MAX_EVENTS };
		void Promise.all([
			ask(services, 'GET', '/events/stream', { query, ...about }),
			ask(services, 'GET', '/snapshot/list', about),
		]).then(([events, outcome]) => {
			if (isStale || !events.ok || !outcome.ok) return;
			const snapshots = outcome.body.snapshots.map(
				({ tick, label }): TimelineMark => ({ tick, kind: 'snapshot', words: `snapshot ${label}` }),
			);
			setRead({ world, deaths: events.body.events, snapshots });
		});
		return () => {
			isStale = true;
		};
	}, [services, world, journal]);
	return read.world === world ? read : { world, deaths: [], snapshots: [] };
}

/** Returns the world of the timeline, its marks, and its current and shown ticks. */
function useTimeline() {
	const { timeline, worlds, entities } = usePanels();
	const looking = timeline.looking.value;
	const restoring = timeline.restoring.value;
	const world = looking?.of ?? worlds.selected.value;
	const timelineWorld =
		world === 'main' ? worlds.main.value : worlds.forks.value.find(({ id }) => id === world);
	const now = timelineWorld?.tick ?? 0;
	const span = spanOf(now);
	const { read } = useHistory(world);
	const { deaths, snapshots } = useHappened(world, span.from, read);
	const named = new Map(entities.list.value.map((entity) => [entity.id, entityLabel(entity)]));
	const forks = worlds.forks.value.flatMap(({ id, parent, parentTick }): TimelineMark[] =>
		parent === world && id !== looking?.fork ? [{ tick: parentTick, kind: 'fork', words: `fork ${id}` }] : [],
	);
	const nameOf = (id: number): string => named.get(id) ?? `entity ${id}`;
	const marks = marksOf(read?.entries ?? [], deaths, [...snapshots, ...forks], world, span, nameOf);
	return { world, now, span, marks, looking, restoring, shown: restoring ?? looking?.tick ?? now };
}

/** Returns the width of an element (CSS pixels); 0 before it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	useEffect(() => {
		const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
		observer.observe(element.current!);
		return () => observer.disconnect();
	}, [element]);
	return width;
}

type TimelineProps = ReturnType<typeof useTimeline>;

export function Timeline() {
	const props = useTimeline();
	return (
		<div class="timeline">
			<Notes {...props} />
			<Track {...props} />
		</div>
	);
}

/** The legend of marks, and the shown tick with its buttons. */
function Notes({ marks, looking, restoring }: TimelineProps) {
	const { timeline } = usePanels();
	return (
		<div class="timeline-notes row">
			{MARK_KINDS.filter(([kind]) => marks.some((mark) => mark.kind === kind)).map(([kind, word]) => (
				<span key={kind} class="soft">
					<i class="timeline-sign" data-kind={kind} />
					{word}
				</span>
			))}
			<span class="grow" />
			{restoring !== null ? (
				<span class="soft" role="status">
					<span class="waiting-ring" /> Restoring tick {formatNumber(restoring)}
				</span>
			) : looking === null ? (
				<span class="soft">Drag to look back</span>
			) : (
				<>
					<span role="status">
						Looking at tick {formatNumber(looking.tick)} of {looking.of}
					</span>
					<button
						type="button"
						class="button small"
						title="Keep this past as a fork; changes made here stay in it"
						onClick={() => void timeline.branch()}
					>
						<Icon name="forks" small />
						Branch here
					</button>
					<button type="button" class="button quiet small" onClick={() => void timeline.leave()}>
						Back to now
					</button>
				</>
			)}
		</div>
	);
}

/** Returns the tick to which a key moves the cursor; undefined for other keys. */
function tickFor(
	{ key, shiftKey }: KeyboardEvent,
	at: number,
	from: number,
	now: number,
): number | undefined {
	const by = shiftKey ? 60 : 1;
	const to: Record<string, number> = {
		ArrowLeft: at - by,
		ArrowRight: at + by,
		PageDown: at - 600,
		PageUp: at + 600,
		Home: from,
		End: now,
	};
	const tick = to[key];
	return tick === undefined ? undefined : Math.min(now, Math.max(from, tick));
}

/** Returns the cursor of the timeline, and its listeners. */
function useCursor({ world, now, span, marks, looking, shown }: TimelineProps) {
	const { timeline } = usePanels();
	const [hover, setHover] = useState<number | null>(null);
	const [cursor, setCursor] = useState<number | null>(null);
	const at = cursor ?? shown;
	/** Returns the tick under the pointer, or that of a close mark. */
	const under = (event: PointerEvent): number => {
		const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
		const x = event.clientX - left;
		const near = marks.filter(({ tick }) => Math.abs(shareOf(tick, span) * width - x) <= NEAR_PX).at(-1);
		return near?.tick ?? tickAt(x / width, span, now);
	};
	const go = (tick: number): void => {
		setCursor(null);
		setHover(null);
		if (tick >= now && looking !== null) void timeline.leave();
		else if (tick < now && tick !== looking?.tick) void timeline.look(world, tick);
	};
	const press = (event: KeyboardEvent): void => {
		const tick = tickFor(event, at, span.from, now);
		if (event.key === 'Enter' && cursor !== null) go(cursor);
		else if (event.key === 'Escape' && cursor !== null) setCursor(null);
		else if (tick === undefined) return;
		else setCursor(tick);
		event.preventDefault();
		event.stopPropagation();
	};
	return {
		at,
		/** The tick that a click would show; null without one. */
		preview: hover ?? cursor,
		listeners: {
			onKeyDown: press,
			onBlur: () => setCursor(null),
			onPointerDown(event: PointerEvent) {
				if (event.button !== 0) return;
				(event.currentTarget as Element).setPointerCapture(event.pointerId);
				setHover(under(event));
			},
			onPointerMove: (event: PointerEvent) => setHover(under(event)),
			onPointerLeave: () => setHover(null),
			onPointerUp: (event: PointerEvent) => go(under(event)),
			onPointerCancel: () => setHover(null),
		},
	};
}

function Track(all: TimelineProps) {
	const { now, span, looking, shown } = all;
	const track = useRef<HTMLDivElement>(null);
	const width = useWidth(track);
	const marks = thinned(all.marks, span, width);
	const { at, preview, listeners } = useCursor({ ...all, marks });
	const near = preview === null ? undefined : marks.findLast(({ tick }) => tick === preview);
	const leftStyle = (tick: number) => ({ left: `${shareOf(tick, span) * 100}%` });
	return (
		<div
			ref={track}
			class="timeline-track"
			role="slider"
			tabIndex={0}
			aria-label="Timeline"
			aria-valuemin={span.from}
			aria-valuemax={now}
			aria-valuenow={at}
			aria-valuetext={`tick ${formatNumber(at)}${at === now ? ', now' : ''}`}
			{...listeners}
		>
			{labelsOf(span, width).map((tick) => (
				<span key={tick} class="timeline-label" style={leftStyle(tick)}>
					{formatTime(tick)}
				</span>
			))}
			{now < span.to && (
				<span class="timeline-future" style={{ ...leftStyle(now), right: 0 }} title="Not yet" />
			)}
			{marks.map(({ tick, kind, words }) => (
				<i
					key={`${tick} ${kind}`}
					class="timeline-sign"
					data-kind={kind}
					title={words}
					style={leftStyle(tick)}
				/>
			))}
			<span class="timeline-now" style={leftStyle(now)} data-here={looking === null} />
			{shown !== now && <span class="timeline-now past" style={leftStyle(shown)} data-here="true" />}
			{preview !== null && (
				<span class="timeline-hover" style={leftStyle(preview)}>
					<span class="plate" data-side={shareOf(preview, span) > 0.5 ? 'left' : 'right'}>
						{formatTime(preview)}, tick {formatNumber(preview)}
						{near !== undefined && `, ${near.words}`}
					</span>
				</span>
			)}
		</div>
	);
}
