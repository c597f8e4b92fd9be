/**
 * Score and clock.
 * Owns: showing the sides of a match by name, colour and mark.
 */

import { TeamMark, teamClass } from '../drawn/marks.tsx';
import { formatNumber } from '../numbers.ts';
import { clockText, limitText, type Side } from './match.ts';
import type { Play } from './play-state.ts';

function SideScore({ side }: { readonly side: Side }) {
	return (
		<div class="side">
			<span class="side-name">
				<span class={teamClass(side.team)}>{side.name}</span>
				<em class="cut">{side.note}</em>
			</span>
			<TeamMark team={side.team} />
			<b>{formatNumber(side.score)}</b>
		</div>
	);
}

export function ScorePlate({ play }: { readonly play: Play }) {
	const match = play.game.match.value;
	const all = play.sides.value;
	if (match === null && all.length === 0) return null;
	const half = Math.ceil(all.length / 2);
	const seconds = match?.elapsed ?? play.game.tick.value / 60;
	return (
		<section class={`plate score${all.length > 1 ? '' : ' alone'}`} aria-label="Score">
			<div class="sides">
				{all.slice(0, half).map((side) => (
					<SideScore key={side.team} side={side} />
				))}
			</div>
			<div class="clock">
				<b>{clockText(seconds)}</b>
				<small>{match === null ? 'no match' : limitText(match, play.game.goal.value)}</small>
			</div>
			{all.length > 1 && (
				<div class="sides other">
					{all.slice(half).map((side) => (
						<SideScore key={side.team} side={side} />
					))}
				</div>
			)}
		</section>
	);
}
