/**
 * The lines of the worlds: main is thick, and each fork has its colour and stroke, with a node at its tick.
 * Owns: turning shares of the ticks into pixels.
 */

import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { type WorldInfo, worldStyle } from '../worlds/fork-list.ts';
import { type WorldLine, worldLines } from './fork-lines.ts';

const TOP = 36;
/** Distance of two lines (pixels), by the maximum number of worlds. */
const ROWS = [
	[3, 56],
	[8, 42],
	[Number.POSITIVE_INFINITY, 28],
] as const;
/** Width of the bend of a fork's line, as a share of the shown ticks. */
const BEND = 0.024;
/** Height of the bend of a fork's line (pixels). */
const CORNER = 20;
/** Width of the lines as a share of the total width. The names use the rest. */
const LINE_SHARE = 0.72;

/** Scrolls a box, but no outer one, until a child is visible. */
function bringIntoSight(box: Element, thing: Element): void {
	const [seen, place] = [box.getBoundingClientRect(), thing.getBoundingClientRect()];
	box.scrollLeft += Math.max(0, place.right - seen.right) + Math.min(0, place.left - seen.left);
	box.scrollTop += Math.max(0, place.bottom - seen.bottom) + Math.min(0, place.top - seen.top);
}

/** Returns the place of a fork's node: the end of its line, which is never before its bend. */
const endOf = ({ parentRow, from, to }: WorldLine) => (parentRow === null ? to : Math.max(from + BEND, to));

function path(line: WorldLine, width: number, y: (row: number) => number): string {
	const { row, parentRow, from } = line;
	const end = endOf(line) * width;
	if (parentRow === null) return `M${from * width} ${y(row)}H${end}`;
	const [start, bend] = [from * width, (from + BEND) * width];
	return `M${start} ${y(parentRow)}V${y(row) - CORNER}Q${start} ${y(row)} ${bend} ${y(row)}H${end}`;
}

/** Draws main and the listed forks. */
export function WorldLinesDrawing({ forks }: { readonly forks: readonly WorldInfo[] }) {
	const { worlds } = usePanels();
	const main = worlds.main.value;
	const selected = worlds.selected.value;
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const node = box.current?.querySelector('[aria-pressed=true]');
		if (box.current && node) bringIntoSight(box.current, node);
	}, [selected, main === null, forks.length]);
	if (main === null) return <p class="empty">Waiting for the world.</p>;
	const { lines, marks } = worldLines(main, forks);
	const [, spacing] = ROWS.find(([most]) => lines.length <= most)!;
	const y = (row: number) => TOP + row * spacing;
	const height = y(lines.length - 1) + 48;
	const width = 1000;
	const share = (at: number) => `${at * LINE_SHARE * 100}%`;
	return (
		<div class="fork-scroll scroll" ref={box}>
			<div class={`fork-canvas${spacing < 32 ? ' dense' : ''}`} style={{ height: `${height}px` }}>
				<svg
					viewBox={`0 0 ${width} ${height}`}
					preserveAspectRatio="none"
					style={{ width: `${LINE_SHARE * 100}%`, height: `${height}px` }}
					aria-hidden="true"
				>
					{marks.map(({ tick, at }) => (
						<path key={tick} class="mark-line" d={`M${at * width} 0V${height - 28}`} />
					))}
					{[...lines].reverse().map((line) => (
						<path
							key={line.world.id}
							class={`world-line ${worldStyle(line.world)}`}
							d={path(line, width, y)}
						/>
					))}
				</svg>
				{lines.map((line) => {
					const { world, row } = line;
					return (
						<button
							key={world.id}
							type="button"
							class={`world-node row ${worldStyle(world)}`}
							aria-pressed={selected === world.id}
							style={{
								left: share(endOf(line)),
								top: `${y(row)}px`,
							}}
							onClick={() => worlds.select(world.id)}
						>
							<i class="dot" />
							<b>{world.id}</b>
							<span>
								tick {formatNumber(world.tick)}
								{world.playing ? ', running' : ''}
							</span>
						</button>
					);
				})}
				{lines.length === 1 && (
					<p class="fork-hint">No fork yet. Branch, and try things in the fork: main is not affected.</p>
				)}
				{marks.map(({ tick, at }) => (
					<span key={tick} class="mark-tick" style={{ left: share(at) }}>
						{formatNumber(tick)}
					</span>
				))}
			</div>
		</div>
	);
}
