/**
 * What is written over the picture, such as the texts that rules show.
 * Owns: the place of each text, in shares of the picture. Never: keeps a text for longer than the world does.
 */

import type { HudElement } from '../../host/frames.ts';
import { usePanels } from '../state/panels.ts';
import { hudPlace } from './hud-place.ts';

/** Letters from this size on (pixels) are those of titles. */
const TITLE = 28;

function HudText({ element }: { readonly element: HudElement }) {
	const { left, width, side } = hudPlace(element.x);
	return (
		<div
			class={`hud-place ${side}`}
			style={{
				'--left': `${left * 100}%`,
				'--width': `${width * 100}%`,
				'--top': `${Math.max(0, element.y) * 100}%`,
				'--size': `${element.size}px`,
			}}
		>
			<p
				class={`plate hud-text${element.size < TITLE ? '' : ' title'}`}
				data-ink={element.color.trim().toLowerCase()}
			>
				{element.text}
			</p>
		</div>
	);
}

export function Hud() {
	const { services, worlds } = usePanels();
	// Read out as texts come while a person steps; a world that runs would talk on and on.
	const said = worlds.here.value?.playing === true ? 'off' : 'polite';
	return (
		<div class="hud" role="log" aria-label="Texts in the picture" aria-live={said}>
			{services.hud.value.map((element) => (
				<HudText key={element.id} element={element} />
			))}
		</div>
	);
}
