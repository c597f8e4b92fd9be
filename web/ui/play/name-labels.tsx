/**
 * Names over heroes, with their levels.
 * Owns: moving each with its hero, picture by picture, without drawing the panels anew. One is hidden until the picture tells its place.
 */

import { useEffect, useRef } from 'preact/hooks';
import { TeamMark } from '../drawn/marks.tsx';
import { usePanels } from '../state/panels.ts';
import type { Play } from './play-state.ts';
import { levelOf, unitName } from './units.ts';

export function NameLabels({ play }: { readonly play: Play }) {
	const view = usePanels().services.view.value;
	const box = useRef<HTMLDivElement>(null);
	useEffect(
		() =>
			view?.onPlaces((places) => {
				const at = new Map(places.map((place) => [String(place.id), place]));
				for (const label of box.current?.querySelectorAll<HTMLElement>('[data-id]') ?? []) {
					const place = at.get(label.dataset.id!);
					label.hidden = place === undefined;
					if (place !== undefined) label.style.transform = `translate(${place.x}px, ${place.y}px)`;
				}
			}),
		[view],
	);
	const agents = new Map(play.others.value.map(({ entity, name }) => [entity.id, name]));
	return (
		<div class="name-labels" ref={box} aria-hidden="true">
			{play.heroes.value.map((hero) => (
				<span key={hero.id} data-id={hero.id} hidden class={hero.dead === true ? 'fallen' : undefined}>
					<i>
						{hero.team !== undefined && <TeamMark team={hero.team} />}
						{unitName(hero, play.heroes.value)} {levelOf(hero)}
						{agents.has(hero.id) && <em>{agents.get(hero.id)}</em>}
					</i>
				</span>
			))}
		</div>
	);
}
