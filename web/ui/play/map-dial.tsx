/**
 * The map: a dial with sixty marks.
 * Owns: its drawing. map-points.ts computes the positions.
 */

import type { TargetedPointerEvent } from 'preact';
import { Icon } from '../drawn/icon.tsx';
import { teamClass } from '../drawn/marks.tsx';
import { type MapFrame, type MapPoint, mapPoints, nearestTo, placeOn } from './map-points.ts';
import type { MapPicture } from './pictures.ts';
import type { PlayInput } from './play-input.ts';
import type { Play } from './play-state.ts';
import { candidates, unitName } from './units.ts';

/** Radius of the dial and of the ground on it, in its own units. */
const RIM = 50;
const GROUND = 46;
/** Half of the drawing's size, including the shadow line of the dial. */
const HALF = 52;
const SIZES = { hero: 3, building: 2.6, unit: 1.5 } as const;

const MARKS = Array.from({ length: 60 }, (_, index) => {
	const angle = (index / 60) * 2 * Math.PI;
	const inner = index % 5 === 0 ? RIM - 3 : RIM - 1.6;
	const at = (radius: number) =>
		`${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
	return `M${at(RIM)}L${at(inner)}`;
}).join('');

/** The mark of a unit: a disc for Lapis, a rhomb for Vermilion, a square for others, and hollow for buildings. */
function Point({ point, me }: { readonly point: MapPoint; readonly me: boolean }) {
	const [x, y] = [point.x * GROUND, point.y * GROUND];
	const size = SIZES[point.kind];
	const look = `${teamClass(point.team ?? 0)} ${point.kind}`;
	return (
		<>
			{point.team === 1 ? (
				<circle class={look} cx={x} cy={y} r={size} />
			) : point.team === 2 ? (
				<path
					class={look}
					d={`M${x} ${y - size * 1.25}l${size * 1.25} ${size * 1.25}l${-size * 1.25} ${size * 1.25}l${-size * 1.25} ${-size * 1.25}z`}
				/>
			) : (
				<rect class={look} x={x - size * 0.8} y={y - size * 0.8} width={size * 1.6} height={size * 1.6} />
			)}
			{me && <circle class="me" cx={x} cy={y} r={size + 2.4} />}
		</>
	);
}

/** The picture of the ground, at its place on the dial. */
function Ground({ picture, frame }: { readonly picture: MapPicture; readonly frame: MapFrame }) {
	const scale = GROUND / frame.reach;
	const half = picture.frame.reach * scale;
	return (
		<image
			href={picture.src}
			x={(picture.frame.x - frame.x) * scale - half}
			y={(picture.frame.z - frame.z) * scale - half}
			width={2 * half}
			height={2 * half}
			clip-path={`circle(${GROUND}px at ${half + (frame.x - picture.frame.x) * scale}px ${half + (frame.z - picture.frame.z) * scale}px)`}
		/>
	);
}

interface MapDialProps {
	readonly play: Play;
	readonly input: PlayInput;
	readonly picture: MapPicture | null;
}

export function MapDial({ play, input, picture }: MapDialProps) {
	const frame = play.game.map.value;
	if (frame === null) return null;
	const large = play.open.value === 'map';
	const followed = play.followed.value;
	const points = mapPoints(play.game.entities.value, frame);
	const text =
		followed === null
			? `${points.length} units`
			: `${unitName(followed, play.game.heroes.value)} among ${points.length} units`;
	const playing = play.mine.value !== null;
	const press = (event: TargetedPointerEvent<SVGSVGElement>): void => {
		const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
		const toDial = (share: number): number => ((share * 2 - 1) * HALF) / GROUND;
		const place = placeOn(frame, [
			toDial((event.clientX - left) / width),
			toDial((event.clientY - top) / height),
		]);
		if (place === null || event.button === 1) return;
		event.preventDefault();
		const nearest = nearestTo(place, candidates(play.game.entities.value));
		if (playing) input.pointAt(place);
		else if (nearest !== null) play.watch(nearest);
	};
	return (
		<div class={`map${large ? ' large' : ''}`}>
			<svg
				viewBox={`${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`}
				role="img"
				aria-label={`Map: ${text}`}
				onPointerDown={press}
				onContextMenu={(event) => event.preventDefault()}
			>
				<title>{playing ? 'Click a point to go there' : 'Click a unit to watch it'}</title>
				<circle class="rim" r={RIM + 1} />
				<path class="marks" d={MARKS} />
				<circle class="ground" r={GROUND} />
				{picture === null ? (
					<path class="cross" d={`M${-GROUND} 0H${GROUND}M0 ${-GROUND}V${GROUND}`} />
				) : (
					<Ground picture={picture} frame={frame} />
				)}
				{points.map((point) => (
					<Point key={point.id} point={point} me={point.id === followed?.id} />
				))}
			</svg>
			<button
				type="button"
				class="button square"
				aria-pressed={large}
				aria-label={large ? 'Smaller map' : 'Larger map'}
				title={large ? 'Smaller map (M)' : 'Larger map (M)'}
				onClick={() => {
					play.open.value = large ? null : 'map';
				}}
			>
				<Icon name={large ? 'close' : 'plus'} />
			</button>
		</div>
	);
}
