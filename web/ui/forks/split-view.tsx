/**
 * Main and the forks beside it: for each a picture with ghosts and pins, and the differences.
 * Owns: the panes, and the drag that turns the shared camera.
 */

import './split.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { count, formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { MAIN, type WorldInfo, worldStyle } from '../worlds/fork-list.ts';
import { type Camera, placeInPicture } from './camera.ts';
import { type Difference, pinsOf } from './differences.ts';
import { ASPECT } from './fork-pictures.ts';

/** Number of rows that are listed at first. */
const FEW_ROWS = 12;
/** Zoom for one notch of the wheel, and turn for one press of an arrow (shares of the height). */
const NOTCH = 1.15;
const ARROW = 0.06;

export function SplitView() {
	const { compare } = usePanels();
	const shown = compare.shown.value;
	return (
		<section class="split scroll" aria-label="Worlds side by side" style={{ '--panes': shown.length }}>
			{shown.map((world) => (
				<WorldPane key={world.id} world={world} />
			))}
			{shown.length === 1 && (
				<p class="pane split-empty">
					No fork yet. Branch to see both worlds side by side. The picture of the fork shows moved things of
					main as ghosts.
				</p>
			)}
		</section>
	);
}

/** Describes the differences of a fork, such as `5 differences`. */
function differenceWords(world: WorldInfo, main: WorldInfo, rows: number | null, others: number): string {
	const isSame = world.digest === main.digest;
	if (rows === null) return isSame ? 'no difference' : 'comparing';
	if (rows === 0 && isSame) return 'no difference';
	if (rows === 0) return others === 0 ? 'different' : `${count(others, 'small difference')}`;
	return count(rows, 'difference');
}

/** Returns the fork whose differences are marked in the picture of main: the selected one, else the first. */
function pinnedFork(shown: readonly WorldInfo[], selected: string): WorldInfo | undefined {
	return shown.find(({ id }) => id === selected && id !== MAIN) ?? shown[1];
}

function WorldPane({ world }: { readonly world: WorldInfo }) {
	const { compare, worlds, navigation } = usePanels();
	const { id } = world;
	const isMain = id === MAIN;
	const main = compare.shown.value[0]!;
	const found = isMain ? null : (compare.differences.byFork.value.get(id) ?? null);
	const pinned = isMain ? pinnedFork(compare.shown.value, worlds.selected.value) : world;
	const isSelected = worlds.selected.value === id;
	return (
		<article class={`pane world-pane ${worldStyle(world)}${isSelected ? ' selected' : ''}`} aria-label={id}>
			<header class="pane-head">
				<button
					type="button"
					class="pane-name row"
					aria-pressed={isSelected}
					title={`Select ${id}`}
					onClick={() => worlds.select(id)}
				>
					<i class="dot" />
					<h2 class="cut">{id}</h2>
				</button>
				<span class="faint cut">
					{isMain
						? `tick ${formatNumber(world.tick)}`
						: differenceWords(world, main, found?.rows.length ?? null, found?.others ?? 0)}
				</span>
				<span class="grow" />
				{!isMain && world.tick !== main.tick && (
					<span class="faint pane-tick">
						{formatNumber(Math.abs(world.tick - main.tick))} {world.tick > main.tick ? 'ahead' : 'behind'}
					</span>
				)}
				<Signature digest={world.digest} size={20} compare={isMain ? undefined : main.digest} />
				<button
					type="button"
					class="button quiet square small"
					aria-label={`Show ${id} in Make`}
					title="Show in Make"
					onClick={() => {
						worlds.select(id);
						navigation.go('make');
					}}
				>
					<Icon name="look" small />
				</button>
				{!isMain && (
					<button
						type="button"
						class="button quiet square small"
						aria-label={`Leave ${id} out of the comparison`}
						title="Leave out"
						onClick={() => compare.leaveOut(id)}
					>
						<Icon name="close" small />
					</button>
				)}
			</header>
			<PanePicture world={world} pinned={pinned} />
			{isMain ? (
				<MainRows />
			) : (
				<Rows
					fork={id}
					isSame={world.digest === main.digest}
					rows={found?.rows ?? []}
					others={found?.others ?? 0}
				/>
			)}
		</article>
	);
}

interface PanePictureProps {
	readonly world: WorldInfo;
	/** Fork whose differences are marked; undefined without one. */
	readonly pinned: WorldInfo | undefined;
}

/** Marks of a fork's differences in a picture of it, or of main. */
function Pins({
	of,
	fork,
	camera,
}: {
	readonly of: string;
	readonly fork: WorldInfo;
	readonly camera: Camera;
}) {
	const { compare } = usePanels();
	const rows = compare.differences.byFork.value.get(fork.id)?.rows ?? [];
	const pointed = rows.find(({ key }) => compare.pointed.value === `${fork.id}/${key}`)?.number;
	const pins = pinsOf(rows, of === MAIN).flatMap(({ numbers, place }) => {
		const at = placeInPicture(camera, ASPECT, place);
		return at === null ? [] : [{ numbers, at }];
	});
	return (
		<>
			{pins.map(({ numbers, at }) => (
				<span
					key={numbers.join()}
					class={`pin ${worldStyle(fork)}${numbers.includes(pointed ?? -1) ? ' pointed' : ''}`}
					style={{ left: `${at[0] * 100}%`, top: `${at[1] * 100}%` }}
					aria-hidden="true"
				>
					{numbers.join(', ')}
				</span>
			))}
		</>
	);
}

/** The picture; a drag turns the camera of all pictures, the wheel moves it nearer. */
function PanePicture({ world, pinned }: PanePictureProps) {
	const { compare } = usePanels();
	const { id } = world;
	const box = useRef<HTMLDivElement>(null);
	const from = useRef<readonly [number, number] | null>(null);
	useEffect(() => {
		const observer = new ResizeObserver(([entry]) => {
			const width = entry?.contentRect.width ?? 0;
			if (width > 0) compare.camera.resize(width * devicePixelRatio);
		});
		observer.observe(box.current!);
		return () => observer.disconnect();
	}, [compare]);
	const picture = compare.pictures.byWorld.value.get(id);
	const height = () => box.current!.clientHeight || 1;
	const turn = (right: number, down: number) => compare.camera.turn(right, down);
	return (
		<div class="pane-picture" ref={box}>
			{picture === undefined ? (
				<p class="faint">
					<span class="waiting-ring" /> Taking the picture
				</p>
			) : (
				<img
					src={picture.url}
					alt={`${id} at tick ${formatNumber(picture.tick)}`}
					draggable={false}
					data-tick={picture.tick}
				/>
			)}
			{picture !== undefined && pinned !== undefined && (
				<Pins of={id} fork={pinned} camera={picture.camera} />
			)}
			<button
				type="button"
				class="pane-camera"
				aria-label={`Camera, in the picture of ${id}: arrow keys turn it, plus and minus zoom`}
				title="Drag to turn the camera of all pictures"
				onPointerDown={(event) => {
					if (event.button !== 0) return;
					event.currentTarget.setPointerCapture(event.pointerId);
					from.current = [event.clientX, event.clientY];
				}}
				onPointerMove={(event) => {
					if (from.current === null) return;
					const [x, y] = from.current;
					from.current = [event.clientX, event.clientY];
					turn((event.clientX - x) / height(), (event.clientY - y) / height());
				}}
				onPointerUp={() => {
					from.current = null;
				}}
				onPointerCancel={() => {
					from.current = null;
				}}
				onWheel={(event) => {
					// Without focus, the wheel scrolls the panes.
					if (document.activeElement !== event.currentTarget) return;
					event.preventDefault();
					compare.camera.zoom(event.deltaY > 0 ? NOTCH : 1 / NOTCH);
				}}
				onKeyDown={(event) => {
					const moves: Readonly<Record<string, () => void>> = {
						ArrowLeft: () => turn(-ARROW, 0),
						ArrowRight: () => turn(ARROW, 0),
						ArrowUp: () => turn(0, ARROW),
						ArrowDown: () => turn(0, -ARROW),
						'+': () => compare.camera.zoom(1 / NOTCH),
						'-': () => compare.camera.zoom(NOTCH),
					};
					const move = moves[event.key];
					if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
					event.preventDefault();
					move();
				}}
			/>
		</div>
	);
}

interface RowsProps {
	readonly fork: string;
	readonly isSame: boolean;
	readonly rows: readonly Difference[];
	readonly others: number;
}

function Rows({ fork, isSame, rows, others }: RowsProps) {
	const { compare } = usePanels();
	const [isWhole, setWhole] = useState(false);
	const listed = isWhole ? rows : rows.slice(0, FEW_ROWS);
	const hidden = rows.length - listed.length;
	if (!compare.differences.byFork.value.has(fork)) return <p class="empty">Comparing with main.</p>;
	if (rows.length === 0)
		return (
			<p class="empty">
				{isSame ? 'No difference at this tick.' : 'Only invisible state differs, such as timers.'}
			</p>
		);
	return (
		<div class="difference-rows">
			<table aria-label={`Differences of ${fork} from main`}>
				<colgroup>
					<col class="col-number" />
					<col />
					<col class="col-from" />
					<col class="col-to" />
				</colgroup>
				<thead class="only-said">
					<tr>
						<th>Number</th>
						<th>What</th>
						<th>In main</th>
						<th>In {fork}</th>
					</tr>
				</thead>
				<tbody>
					{listed.map(({ key, number, name, field, from, to, verdict, place }) => {
						const point = (on: boolean) => () => {
							compare.pointed.value = on ? `${fork}/${key}` : null;
						};
						const words = (
							<>
								{name} <span class="soft">{field}</span>
							</>
						);
						return (
							<tr key={key} onPointerEnter={point(true)} onPointerLeave={point(false)}>
								<td>{number !== null && <span class="number">{number}</span>}</td>
								<td>
									{place === null ? (
										<span class="cut">{words}</span>
									) : (
										<button
											type="button"
											class="cut"
											title={`Look at ${name} in all pictures`}
											onFocus={point(true)}
											onBlur={point(false)}
											onClick={() => compare.camera.lookAt(place)}
										>
											{words}
										</button>
									)}
								</td>
								<td class="right soft">
									{from}
									{from !== '' && ' →'}
								</td>
								<td class={`right ${verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : ''}`}>
									{to}
									{verdict !== null && <span class="only-said">, {verdict}</span>}
								</td>
							</tr>
						);
					})}
				</tbody>
			</table>
			{(hidden > 0 || isWhole) && (
				<button type="button" class="button quiet small" onClick={() => setWhole(!isWhole)}>
					{hidden > 0 ? `${formatNumber(hidden)} more` : 'Fewer'}
				</button>
			)}
			{others > 0 && hidden === 0 && (
				<p class="faint">
					and {count(others, 'field')} that {others === 1 ? 'is' : 'are'} not visible
				</p>
			)}
		</div>
	);
}

/** Values of main where the forks differ. */
function MainRows() {
	const { compare } = usePanels();
	const seen = new Map<string, Difference>();
	for (const { rows } of compare.differences.byFork.value.values())
		for (const row of rows) if (row.from !== '' && !seen.has(row.key)) seen.set(row.key, row);
	const rows = [...seen.values()].slice(0, FEW_ROWS);
	if (rows.length === 0) return <p class="empty">as it is</p>;
	return (
		<div class="difference-rows">
			<table aria-label="Main where the forks differ">
				<colgroup>
					<col />
					<col class="col-to" />
				</colgroup>
				<tbody>
					{rows.map(({ key, name, field, from }) => (
						<tr key={key}>
							<td>
								<span class="cut">
									{name} <span class="soft">{field}</span>
								</span>
							</td>
							<td class="right">{from}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
