/**
 * Elements of the world's HUD over the picture: texts, bars, shapes, pictures and buttons.
 * Owns: their positions, as shares of the picture. Never: keeps an element that the world has removed.
 */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { anchorShares, HUD_INKS, hudInk } from '../../../shared/documents/hud-ink.ts';
import { separateTops } from '../../../shared/documents/hud-room.ts';
import type { ShownElement } from '../../frames/frames.ts';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { hudPlace } from './hud-place.ts';

/** Texts of this size (pixels) or more are titles. */
const TITLE_SIZE = 28;

const percent = (share: number): string => `${share * 100}%`;

type Kind<T extends ShownElement['type']> = Extract<ShownElement, { readonly type: T }>;

interface HudTextProps {
	readonly element: Kind<'text'> | Kind<'button'>;
	readonly politeness: 'off' | 'polite';
	readonly press: (id: string) => void;
}

function HudText({ element, politeness, press }: HudTextProps) {
	const [across, down] = anchorShares(element.anchor);
	const { left, width, align, side } = hudPlace(element.x, across);
	const color = element.color.trim().toLowerCase();
	// Colour names of the palette follow the theme. Other colours stay as they are.
	const ink = HUD_INKS.has(color) ? {} : { color: hudInk(element.color) };
	const letters = {
		class: `plate hud-text${element.size < TITLE_SIZE ? '' : ' title'}`,
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
				<p {...letters} aria-live={politeness}>
					{element.text}
				</p>
			)}
		</div>
	);
}

/** A text or button in the lane, in the lane's text size. */
function LaneText({ element, press }: Pick<HudTextProps, 'element' | 'press'>) {
	const color = element.color.trim().toLowerCase();
	const letters = {
		class: `plate hud-text${element.size < TITLE_SIZE ? '' : ' title'}`,
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
				onError={() => undecodable.report(element.image)}
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
		const separate = (): void => {
			const boxes = [...section.querySelectorAll<HTMLElement>('.hud-place')];
			for (const place of boxes) place.style.translate = '';
			const { top, height } = section.getBoundingClientRect();
			const plates = boxes.map((place) => {
				const plate = place.firstElementChild!.getBoundingClientRect();
				return { left: plate.left, top: plate.top - top, width: plate.width, height: plate.height };
			});
			for (const [index, to] of separateTops(plates, height, 'down').entries()) {
				const down = to - plates[index]!.top;
				if (down !== 0) boxes[index]!.style.translate = `0 ${down}px`;
			}
		};
		const observer = new ResizeObserver(separate);
		observer.observe(section);
		separate();
		return () => observer.disconnect();
	}, [box, elements]);
}

/** Maximum number of texts in a lane. The newest are kept, in the order of their height in the picture. */
const MAX_IN_LANE = 4;

export function Hud({ lane }: { readonly lane: boolean }) {
	const { services, worlds } = usePanels();
	// Screen readers read new texts while a person steps. In a running world they would never stop.
	const politeness = worlds.selectedInfo.value?.playing === true ? 'off' : 'polite';
	// The log of calls shows a refusal.
	const press = (id: string) =>
		void ask(services, 'POST', '/ui/press', { world: worlds.selected.value, body: { id } });
	const box = useRef<HTMLElement>(null);
	useRoom(box, services.hud.value);
	const texts = services.hud.value.filter(
		(candidate) => candidate.type === 'text' || candidate.type === 'button',
	);
	if (lane)
		return (
			<section class="hud" aria-label="HUD">
				{services.hud.value.map(
					(element) =>
						element.type !== 'text' &&
						element.type !== 'button' && <Shape key={element.id} element={element} />,
				)}
				<div class="hud-lane" aria-live="polite">
					{texts
						.slice(-MAX_IN_LANE)
						.sort((a, b) => a.y - b.y)
						.map((element) => (
							<LaneText key={element.id} element={element} press={press} />
						))}
				</div>
			</section>
		);
	return (
		<section class="hud" aria-label="HUD" ref={box}>
			{services.hud.value.map((element) =>
				element.type === 'text' || element.type === 'button' ? (
					<HudText key={element.id} element={element} politeness={politeness} press={press} />
				) : (
					<Shape key={element.id} element={element} />
				),
			)}
		</section>
	);
}
