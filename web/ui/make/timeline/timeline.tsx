/**
 * The timeline of the selected world: its last minutes, which a person can look at again and branch from.
 * Owns: the pointer and the keys on it. Restoring a tick is the state's.
 */

import './timeline.css';
import { useEffect, useState } from 'preact/hooks';
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
	tickAt,
} from './timeline-marks.ts';

/** Most events that are read; the newest have marks. */
const MAX_EVENTS = 1000;
/** A mark is under the pointer within so many pixels. */
const NEAR_PX = 6;
/** Share of the width after which a label has no room. */
const LAST_LABEL = 0.94;
const percent = (share: number): string => `${share * 100}%`;

interface Happened {
	readonly world: string;
	readonly deaths: readonly TimelineEvent[];
	readonly snapshots: readonly TimelineMark[];
}

/** Deaths of the last minutes, and snapshots; read again with each `journal`. */
function useHappened(world: string, from: number, journal: object | null): Happened {
	const { services } = usePanels();
	const [read, setRead] = useState<Happened>({ world, deaths: [], snapshots: [] });
	useEffect(() => {
		if (journal === null) return;
		let left = false;
		const about = { world, on: 'panels' } as const;
		const query = { since: String(from), events: 'death', limit: MAX_EVENTS };
		void Promise.all([
			ask(services, 'GET', '/events/stream', { query, ...about }),
			ask(services, 'GET', '/snapshot/list', about),
		]).then(([events, kept]) => {
			if (left || !events.ok || !kept.ok) return;
			const snapshots = kept.body.snapshots.map(
				({ tick, label }): TimelineMark => ({ tick, kind: 'snapshot', words: `snapshot ${label}` }),
			);
			setRead({ world, deaths: events.body.events, snapshots });
		});
		return () => {
			left = true;
		};
	}, [services, world, journal]);
	return read.world === world ? read : { world, deaths: [], snapshots: [] };
}

export function Timeline() {
	const { timeline, worlds, entities } = usePanels();
	const looking = timeline.looking.value;
	const restoring = timeline.restoring.value;
	const world = looking?.of ?? worlds.selected.value;
	const here = world === 'main' ? worlds.main.value : worlds.forks.value.find(({ id }) => id === world);
	const now = here?.tick ?? 0;
	const span = spanOf(now);
	const { read } = useHistory(world);
	const { deaths, snapshots } = useHappened(world, span.from, read);
	const [hover, setHover] = useState<number | null>(null);
	const [cursor, setCursor] = useState<number | null>(null);
	const named = new Map(entities.list.value.map((entity) => [entity.id, entityLabel(entity)]));
	const forks = worlds.forks.value.flatMap(({ id, parent, parentTick }): TimelineMark[] =>
		parent === world && id !== looking?.fork ? [{ tick: parentTick, kind: 'fork', words: `fork ${id}` }] : [],
	);
	const nameOf = (id: number): string => named.get(id) ?? `entity ${id}`;
	const marks = marksOf(read?.entries ?? [], deaths, [...snapshots, ...forks], world, span, nameOf);
	const shown = restoring ?? looking?.tick ?? now;
	const at = cursor ?? shown;
	const words = (tick: number, near: TimelineMark | undefined): string =>
		`${formatTime(tick)}, tick ${formatNumber(tick)}${near === undefined ? '' : `, ${near.words}`}`;

	/** The tick under the pointer: that of a mark if there is one. */
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
	const step = (event: KeyboardEvent): void => {
		const by = event.shiftKey ? 60 : 1;
		const to: Record<string, number> = {
			ArrowLeft: at - by,
			ArrowRight: at + by,
			PageDown: at - 600,
			PageUp: at + 600,
			Home: span.from,
			End: now,
		};
		const tick = to[event.key];
		if (event.key === 'Enter' && cursor !== null) go(cursor);
		else if (event.key === 'Escape' && cursor !== null) setCursor(null);
		else if (tick === undefined) return;
		else setCursor(Math.min(now, Math.max(span.from, tick)));
		event.preventDefault();
		event.stopPropagation();
	};
	const preview = hover ?? cursor;
	const near = preview === null ? undefined : marks.findLast(({ tick }) => tick === preview);
	return (
		<div class="timeline">
			<div class="timeline-notes">
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
			<div
				class="timeline-track"
				role="slider"
				tabIndex={0}
				aria-label="Timeline"
				aria-valuemin={span.from}
				aria-valuemax={now}
				aria-valuenow={at}
				aria-valuetext={`tick ${formatNumber(at)}${at === now ? ', now' : ''}`}
				onKeyDown={step}
				onBlur={() => setCursor(null)}
				onPointerDown={(event) => {
					if (event.button !== 0) return;
					event.currentTarget.setPointerCapture(event.pointerId);
					setHover(under(event));
				}}
				onPointerMove={(event) => setHover(under(event))}
				onPointerLeave={() => setHover(null)}
				onPointerUp={(event) => go(under(event))}
				onPointerCancel={() => setHover(null)}
			>
				{labelsOf(span)
					.filter((tick) => shareOf(tick, span) < LAST_LABEL)
					.map((tick) => (
						<span key={tick} class="timeline-label" style={{ left: percent(shareOf(tick, span)) }}>
							{formatTime(tick)}
						</span>
					))}
				{now < span.to && (
					<span
						class="timeline-future"
						style={{ left: percent(shareOf(now, span)), right: 0 }}
						title="Not yet"
					/>
				)}
				{marks.map(({ tick, kind, words: said }) => (
					<i
						key={`${tick} ${kind}`}
						class="timeline-sign"
						data-kind={kind}
						title={said}
						style={{ left: percent(shareOf(tick, span)) }}
					/>
				))}
				<span
					class="timeline-now"
					style={{ left: percent(shareOf(now, span)) }}
					data-here={looking === null}
				/>
				{shown !== now && (
					<span class="timeline-now past" style={{ left: percent(shareOf(shown, span)) }} data-here="true" />
				)}
				{preview !== null && (
					<span class="timeline-hover" style={{ left: percent(shareOf(preview, span)) }}>
						<span class="plate" data-side={shareOf(preview, span) > 0.5 ? 'left' : 'right'}>
							{words(preview, near)}
						</span>
					</span>
				)}
			</div>
		</div>
	);
}
