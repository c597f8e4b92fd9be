/**
 * The stage: the picture's canvas, which fills it, and what lies over it.
 * Owns: telling the view the canvas's size. Never: draws the world.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { entityLabel } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { contentWords } from '../worlds/fork-list.ts';
import { ArrivalPlate } from './arrival-plate.tsx';
import { Hud } from './hud.tsx';

/** Elements further down or up than these shares of the picture are where the note would be. */
const LOW = 0.7;
const HIGH = 0.15;

interface StageProps {
	/** True if the world's texts are in a column at the edge, because the picture is played in. */
	readonly lane?: boolean;
	/** Controls over the picture for editing. */
	readonly tools?: ComponentChildren;
}

export function Stage({ lane = false, tools }: StageProps) {
	const { canvas, services, entities, rules, worlds, tools: state } = usePanels();
	const stage = useRef<HTMLDivElement>(null);
	// Nothing is ever drawn into the box, so that the canvas stays where it is.
	const box = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		box.current!.append(canvas);
	}, [canvas]);
	const view = services.view.value;
	useEffect(() => {
		if (view === null) return;
		const element = stage.current!;
		const tell = () => {
			const { width, height } = element.getBoundingClientRect();
			if (width > 0 && height > 0) view.resize(width, height, devicePixelRatio);
		};
		const observer = new ResizeObserver(tell);
		observer.observe(element);
		// Zooming the page changes the device pixels without changing the box.
		addEventListener('resize', tell);
		return () => {
			observer.disconnect();
			removeEventListener('resize', tell);
		};
	}, [view]);
	const picture = services.picture.value;
	const sound = services.sound.value;
	const selected = entities.inspected.value;
	const picking = entities.picking.value;
	const several = entities.selectedIds.value.length;
	const dragging = state.dragging.value;
	// The world's own words have the place at the bottom, and at the top.
	const crowded = services.hud.value.some(({ y }) => y > LOW);
	const room = !crowded || !services.hud.value.some(({ y }) => y < HIGH);
	const here = worlds.selectedInfo.value;
	const said = `Picture of ${worlds.selected.value}${here === null ? '' : `: ${contentWords(here)}`}`;
	canvas.setAttribute('aria-label', said);
	canvas.setAttribute('role', 'img');
	return (
		<div class="stage" ref={stage}>
			<div class="picture-box" ref={box} />
			{picture.kind === 'none' && (
				<div class="no-picture">
					<Icon name="look" />
					<p>This browser cannot draw the world. All panels and the API work.</p>
					<p class="faint">{picture.message}</p>
				</div>
			)}
			{picture.kind === 'drawing' && <Hud lane={lane} />}
			{picture.kind === 'drawing' && tools}
			{picture.kind !== 'none' && <ArrivalPlate />}
			<div class="stage-notes">
				{picture.kind === 'starting' && (
					<p class="plate">
						<span class="waiting-ring" /> Starting the picture
					</p>
				)}
				{picture.kind === 'drawing' && picture.backend === 'webgl2' && (
					<p class="plate quiet-note passing-note">Drawn with WebGL 2. Shadows are simpler.</p>
				)}
				{sound.hearing === 'locked' && (
					<p class="plate">
						<Icon name="sound" /> Click anywhere to hear the world.
					</p>
				)}
				{sound.fault !== null && <p class="plate quiet-note">{sound.fault}</p>}
				{picture.kind === 'drawing' && room && !lane && (
					<p class={`plate selection-note${crowded ? '' : ' low'}`}>
						{dragging !== null ? (
							dragging
						) : picking !== null ? (
							<>
								Click an entity for "{picking.name}", or press <kbd>Esc</kbd>.
							</>
						) : tools && state.tool.value === 'brush' ? (
							<>
								Drag over the ground to paint; the middle button looks around. <kbd>Q</kbd> ends it.
							</>
						) : selected === null ? (
							`Click an entity to select it${tools ? ', Shift and drag for several' : ''}. Drag to look around.`
						) : (
							<>
								{several > 1
									? `${several} entities.`
									: `${rules.selected.value?.name ?? entityLabel(selected)}.`}
								<span class="key-words">
									{' '}
									<kbd>G</kbd> moves, <kbd>R</kbd> turns, <kbd>S</kbd> scales, <kbd>F</kbd> looks at it.
								</span>
							</>
						)}
					</p>
				)}
			</div>
		</div>
	);
}
