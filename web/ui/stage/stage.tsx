/**
 * The stage: the canvas of the picture, which fills it, with the HUD, notes and tools over it.
 * Owns: passing its size to the view. Never: draws the world.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { entityLabel } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { contentWords } from '../worlds/fork-list.ts';
import { ArrivalPlate } from './arrival-plate.tsx';
import { Hud } from './hud.tsx';

/** HUD elements below `LOW` or above `HIGH` (shares of the picture's height) take the position of the note. */
const LOW = 0.7;
const HIGH = 0.15;

interface StageProps {
	/** True for the view Play, where the HUD's texts are in a column at the edge. */
	readonly lane?: boolean;
	/** Controls over the picture for editing. */
	readonly tools?: ComponentChildren;
}

export function Stage({ lane = false, tools }: StageProps) {
	const { canvas, services, entities, rules, worlds, tools: state } = usePanels();
	const stage = useRef<HTMLDivElement>(null);
	// Preact draws nothing into the box, so the canvas stays in it.
	const box = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		box.current!.append(canvas);
	}, [canvas]);
	const view = services.view.value;
	useEffect(() => {
		if (view === null) return;
		const element = stage.current!;
		const resize = () => {
			const { width, height } = element.getBoundingClientRect();
			if (width > 0 && height > 0) view.resize(width, height, devicePixelRatio);
		};
		const observer = new ResizeObserver(resize);
		observer.observe(element);
		// Zooming the page changes the device pixels without changing the box.
		addEventListener('resize', resize);
		return () => {
			observer.disconnect();
			removeEventListener('resize', resize);
		};
	}, [view]);
	const picture = services.picture.value;
	const sound = services.sound.value;
	const selected = entities.inspected.value;
	const picking = entities.picking.value;
	const selectedCount = entities.selectedIds.value.length;
	const dragging = state.dragging.value;
	// The HUD has precedence: the note moves to the top, or is hidden if the top is used, too. Make hides the HUD.
	const shownHud = tools ? [] : services.hud.value;
	const isBottomUsed = shownHud.some(({ y }) => y > LOW);
	const hasRoom = !isBottomUsed || !shownHud.some(({ y }) => y < HIGH);
	const world = worlds.selectedInfo.value;
	const pictureName = `Picture of ${worlds.selected.value}${world === null ? '' : `: ${contentWords(world)}`}`;
	canvas.setAttribute('aria-label', pictureName);
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
				{picture.kind === 'drawing' && hasRoom && !lane && (
					<p class={`plate selection-note${isBottomUsed ? '' : ' low'}`}>
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
								{selectedCount > 1
									? `${selectedCount} entities.`
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
