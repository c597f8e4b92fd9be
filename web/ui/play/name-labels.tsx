/**
 * Names over heroes, with their levels.
 * Owns: moving each label with its hero in each picture, without rendering the panels again. A label is hidden until the
 * picture reports its place.
 */

import { useEffect, useRef } from 'preact/hooks';
import { separateTops } from '../../../shared/documents/hud-room.ts';
import { TeamMark } from '../drawn/marks.tsx';
import { usePanels } from '../state/panels.ts';
import type { Play } from './play-state.ts';
import { levelOf, unitName } from './units.ts';

/** Height of a label (CSS pixels). */
const HEIGHT = 18;

export function NameLabels({ play }: { readonly play: Play }) {
	const view = usePanels().services.view.value;
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const widths = new Map<string, number>();
		return view?.onPlaces((places) => {
			const at = new Map(places.map((place) => [String(place.id), place]));
			const seen: { readonly label: HTMLElement; readonly x: number; readonly y: number }[] = [];
			for (const label of box.current?.querySelectorAll<HTMLElement>('[data-id]') ?? []) {
				const place = at.get(label.dataset.id!);
				label.hidden = place === undefined;
				if (place !== undefined) seen.push({ label, ...place });
			}
			// The lowest label, which is the nearest, keeps its place.
			seen.sort((a, b) => b.y - a.y);
			const boxes = seen.map(({ label, x, y }) => {
				const text = label.textContent ?? '';
				const width = widths.get(text) ?? label.firstElementChild!.getBoundingClientRect().width;
				widths.set(text, width);
				return { left: x - width / 2, top: y, width, height: HEIGHT };
			});
			for (const [index, top] of separateTops(boxes, Number.POSITIVE_INFINITY, 'up').entries()) {
				const { label, x } = seen[index]!;
				label.style.transform = `translate(${x}px, ${top}px)`;
			}
		});
	}, [view]);
	const agents = new Map(play.others.value.map(({ entity, name }) => [entity.id, name]));
	return (
		<div class="name-labels" ref={box} aria-hidden="true">
			{play.game.heroes.value.map((hero) => (
				<span key={hero.id} data-id={hero.id} hidden class={hero.dead === true ? 'fallen' : undefined}>
					<i>
						{hero.team !== undefined && <TeamMark team={hero.team} />}
						{unitName(hero, play.game.heroes.value)} {levelOf(hero)}
						{agents.has(hero.id) && <em>{agents.get(hero.id)}</em>}
					</i>
				</span>
			))}
		</div>
	);
}
