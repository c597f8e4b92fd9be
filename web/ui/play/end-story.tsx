/**
 * The story of a match on the plate of its end: scores over time, the turning point, the fallen units.
 * Owns: the chart. `story.ts` builds the story.
 */

import { TeamMark, teamClass } from '../drawn/marks.tsx';
import { count, formatNumber } from '../numbers.ts';
import type { Story } from './story.ts';

/** Size of the chart and its margin, in units of the SVG. The margin is for the width of the lines. */
const CHART_WIDTH = 400;
const CHART_HEIGHT = 88;
const MARGIN = 3;

const x = (share: number): number => MARGIN + share * (CHART_WIDTH - 2 * MARGIN);
const y = (share: number): number => CHART_HEIGHT - MARGIN - share * (CHART_HEIGHT - 2 * MARGIN);

/** Returns the SVG path of a score, as steps. */
function stepPath(points: Story['lines'][number]['points']): string {
	const [first, ...rest] = points;
	if (first === undefined) return '';
	const toPixels = (value: number): string => value.toFixed(1);
	return rest.reduce(
		(path, [time, score]) => `${path}H${toPixels(x(time))}V${toPixels(y(score))}`,
		`M${toPixels(x(first[0]))} ${toPixels(y(first[1]))}`,
	);
}

function killText({ heroes, buildings }: Story['kills'][number]): string {
	return [
		heroes > 0 ? count(heroes, 'hero', 'heroes') : '',
		buildings > 0 ? count(buildings, 'building') : '',
	]
		.filter(Boolean)
		.join(', ');
}

export function EndStory({ story }: { readonly story: Story }) {
	const { lines, turn, words, kills, own } = story;
	const standings = lines.map(({ name, score }) => `${name} ${formatNumber(score)}`).join(', ');
	return (
		<div class="end-story">
			{lines.some(({ points }) => points.some(([, score]) => score > 0)) && (
				<svg
					viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
					role="img"
					aria-label={`Scores over time, at the end ${standings}`}
				>
					<path class="axis" d={`M${MARGIN} ${CHART_HEIGHT - MARGIN}H${CHART_WIDTH - MARGIN}`} />
					{turn !== null && (
						<path class="turn" d={`M${x(turn.time).toFixed(1)} 0V${CHART_HEIGHT - MARGIN}`}>
							<title>Turning point of the match</title>
						</path>
					)}
					{lines.map(({ team, points }) => (
						<path key={team} class={`line ${teamClass(team)}`} d={stepPath(points)} />
					))}
				</svg>
			)}
			{words.map((sentence) => (
				<p key={sentence}>{sentence}</p>
			))}
			<ul>
				{lines.map(({ team, name, score }, index) => (
					<li key={team}>
						<TeamMark team={team} />
						<span class={teamClass(team)}>{name}</span>
						<b>{formatNumber(score)}</b>
						<em class="cut">{killText(kills[index]!)}</em>
					</li>
				))}
			</ul>
			{own.kills + own.falls > 0 && (
				<p class="own-part">
					You brought down {formatNumber(own.kills)}
					{own.falls > 0 && ` and fell ${count(own.falls, 'time')}`}.
				</p>
			)}
		</div>
	);
}
