/**
 * The story of a match on the plate of its end: scores over time, the moment it turned, who fell.
 * Owns: the chart. The story itself is told in story.ts.
 */

import { TeamMark, teamClass } from '../drawn/marks.tsx';
import { count, formatNumber } from '../numbers.ts';
import type { Story } from './story.ts';

/** Size of the chart in its own units, and room for the lines' width. */
const WIDE = 400;
const HIGH = 88;
const EDGE = 3;

const x = (share: number): number => EDGE + share * (WIDE - 2 * EDGE);
const y = (share: number): number => HIGH - EDGE - share * (HIGH - 2 * EDGE);

/** Scores stand until they change. */
function steps(points: Story['lines'][number]['points']): string {
	const [first, ...rest] = points;
	if (first === undefined) return '';
	const at = (value: number): string => value.toFixed(1);
	return rest.reduce(
		(path, [time, score]) => `${path}H${at(x(time))}V${at(y(score))}`,
		`M${at(x(first[0]))} ${at(y(first[1]))}`,
	);
}

function killWords({ heroes, buildings }: Story['kills'][number]): string {
	return [
		heroes > 0 ? count(heroes, 'hero', 'heroes') : '',
		buildings > 0 ? count(buildings, 'building') : '',
	]
		.filter(Boolean)
		.join(', ');
}

export function EndStory({ story }: { readonly story: Story }) {
	const { lines, turn, words, kills, mine } = story;
	const standings = lines.map(({ name, score }) => `${name} ${formatNumber(score)}`).join(', ');
	return (
		<div class="end-story">
			{lines.some(({ points }) => points.some(([, score]) => score > 0)) && (
				<svg
					viewBox={`0 0 ${WIDE} ${HIGH}`}
					role="img"
					aria-label={`Scores over time, at the end ${standings}`}
				>
					<path class="axis" d={`M${EDGE} ${HIGH - EDGE}H${WIDE - EDGE}`} />
					{turn !== null && (
						<path class="turn" d={`M${x(turn.time).toFixed(1)} 0V${HIGH - EDGE}`}>
							<title>Here it turned</title>
						</path>
					)}
					{lines.map(({ team, points }) => (
						<path key={team} class={`line ${teamClass(team)}`} d={steps(points)} />
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
						<em class="cut">{killWords(kills[index]!)}</em>
					</li>
				))}
			</ul>
			{mine.kills + mine.falls > 0 && (
				<p class="own-part">
					You brought down {formatNumber(mine.kills)}
					{mine.falls > 0 && ` and fell ${count(mine.falls, 'time')}`}.
				</p>
			)}
		</div>
	);
}
