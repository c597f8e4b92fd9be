/** List of past events, at the right edge. Owns: the looks of a line. */

import { teamClass } from '../drawn/marks.tsx';
import type { Play } from './play-state.ts';

export function Feed({ play }: { readonly play: Play }) {
	return (
		<ul class="feed" aria-live="polite" aria-label="What happened">
			{play.log.lines.value.map(({ number, parts }) => (
				<li key={number}>
					{parts.map(({ text, team }, index) => (
						<span key={`${index} ${text}`} class={team === undefined ? undefined : teamClass(team)}>
							{text}
						</span>
					))}
				</li>
			))}
		</ul>
	);
}
