/**
 * Elements over the picture: texts, bars, shapes, pictures, and buttons that can be pressed.
 * Owns: the place of each, in shares of the picture. Never: keeps an element for longer than the world does.
 */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { anchorShares, HUD_INKS, hudInk } from '../../../shared/documents/hud-ink.ts';
import { topsApart } from '../../../shared/documents/hud-room.ts';
import type { ShownElement } from '../../frames/frames.ts';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { hudPlace } from './hud-place.ts';

/** Letters from this size on (pixels) are those of titles. */
const TITLE = 28;

const percent = (share: number): string => `${share * 100}%`;

type Kind<T extends ShownElement['type']> = Extract<ShownElement, { readonly type: T }>;

interface WrittenProps {
	readonly element: Kind<'text'> | Kind<'button'>;
	readonly said: 'off' | 'polite';
	readonly press: (id: string) => void;
}

function Written({ element, said, press }: WrittenProps) {
	const [across, down] = anchorShares(element.anchor);
	const { left, width, align, side } = hudPlace(element.x, across);
	const color = element.color.trim().toLowerCase();
	// Names of the palette follow the theme; other colours are as they are.
	const ink = HUD_INKS.has(color) ? {} : { color: hudInk(element.color) };
	const letters = {
		class: `plate hud-text${element.size < TITLE ? '' : ' title'}`,
		'data-ink': color,
		style: ink,
	};
	return (
		<div
			class={`hud-place ${side} ${align}`}
			data-down={down}
			style={{
				'--left': percent(left),
				'--width': percent(width),
				'--top': percent(Math.max(0, element.y)),
				'--size': `${element.size}px`,
			}}
		>
			{element.type === 'button' ? (
				<button type="button" {...letters} onClick={() => press(element.id)}>
					{element.text}
				</button>
			) : (
				<p {...letters} aria-live={said}>
					{element.text}
				</p>
			)}
		</div>
	);
}

/** A text in the lane: of the lane's size, whatever its own. */
function InLane({ element, press }: Pick<WrittenProps, 'element' | 'press'>) {
	const color = element.color.trim().toLowerCase();
	const letters = {
		class: `plate hud-text${element.size < TITLE ? '' : ' title'}`,
		'data-ink': color,
		style: HUD_INKS.has(color) ? {} : { color: hudInk(element.color) },
	};
	return element.type === 'button' ? (
		<button type="button" {...letters} onClick={() => press(element.id)}>
			{element.text}
		</button>
	) : (
		<p {...letters}>{element.text}</p>
	);
}

function Shape({ element }: { readonly element: Kind<'bar'> | Kind<'rect'> | Kind<'image'> }) {
	const { undecodable } = usePanels();
	const [across, down] = anchorShares(element.anchor);
	const style = {
		left: percent(element.x),
		top: percent(element.y),
		width: percent(element.width),
		...(element.height == null ? {} : { height: percent(element.height) }),
		transform: `translate(${percent(-across)}, ${percent(-down)})`,
	};
	if (element.type === 'image')
		return (
			<img
				class="hud-shape"
				style={{ ...style, opacity: element.opacity }}
				src={`/asset/${element.image}`}
				alt={element.id}
				onError={() => undecodable.tell(element.image)}
			/>
		);
	if (element.type === 'rect')
		return (
			<div
				class="hud-shape"
				style={{ ...style, background: hudInk(element.color), opacity: element.opacity }}
			/>
		);
	const full = Math.min(1, Math.max(0, element.fill));
	return (
		<div class="hud-shape hud-bar" style={style}>
			<meter aria-label={element.id} value={full} />
			<div style={{ width: percent(full), background: hudInk(element.color) }} />
		</div>
	);
}

/** Moves texts that overlap apart, after each change of the texts or of the picture's size. */
function useRoom(box: RefObject<HTMLElement | null>, elements: readonly ShownElement[]): void {
	useLayoutEffect(() => {
		const section = box.current;
		if (section === null) return;
		const settle = (): void => {
			const places = [...section.querySelectorAll<HTMLElement>('.hud-place')];
			for (const place of places) place.style.translate = '';
			const { top, height } = section.getBoundingClientRect();
			const plates = places.map((place) => {
				const plate = place.firstElementChild!.getBoundingClientRect();
				return { left: plate.left, top: plate.top - top, width: plate.width, height: plate.height };
			});
			for (const [index, to] of topsApart(plates, height, 'down').entries()) {
				const down = to - plates[index]!.top;
				if (down !== 0) places[index]!.style.translate = `0 ${down}px`;
			}
		};
		const observer = new ResizeObserver(settle);
		observer.observe(section);
		settle();
		return () => observer.disconnect();
	}, [box, elements]);
}

/** Texts in a lane: in the order in which they are in the picture, the newest of as many as there is room for. */
const MAX_IN_LANE = 4;

export function Hud({ lane }: { readonly lane: boolean }) {
	const { services, worlds } = usePanels();
	// Read out as texts come while a person steps; a world that runs would talk on and on.
	const politeness = worlds.selectedInfo.value?.playing === true ? 'off' : 'polite';
	// A refusal is in the log of calls.
	const press = (id: string) =>
		void ask(services, 'POST', '/ui/press', { world: worlds.selected.value, body: { id } });
	const box = useRef<HTMLElement>(null);
	useRoom(box, services.hud.value);
	const written = services.hud.value.filter(
		(candidate) => candidate.type === 'text' || candidate.type === 'button',
	);
	if (lane)
		return (
			<section class="hud" aria-label="HUD">
				{services.hud.value.map(
					(one) => one.type !== 'text' && one.type !== 'button' && <Shape key={one.id} element={one} />,
				)}
				<div class="hud-lane" aria-live="polite">
					{written
						.slice(-MAX_IN_LANE)
						.sort((a, b) => a.y - b.y)
						.map((element) => (
							<InLane key={element.id} element={element} press={press} />
						))}
				</div>
			</section>
		);
	return (
		<section class="hud" aria-label="HUD" ref={box}>
			{services.hud.value.map((element) =>
				element.type === 'text' || element.type === 'button' ? (
					<Written key={element.id} element={element} said={politeness} press={press} />
				) : (
					<Shape key={element.id} element={element} />
				),
			)}
		</section>
	);
}
