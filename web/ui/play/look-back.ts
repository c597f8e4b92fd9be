/**
 * Views of the past from the end of a match, at its turning point.
 * Owns: the shown tick, and pausing the world.
 */

import type { Timeline } from '../make/timeline/timeline-state.ts';
import type { Play, PlayServices } from './play-state.ts';

/** Number of ticks before the turning point at which the view starts. */
const LEAD_IN = 120;

/** Pauses the world, and shows it in Make shortly before the turning point. */
export async function lookBack(
	play: Play,
	{ navigation, worlds, timeline }: PlayServices & { readonly timeline: Pick<Timeline, 'look'> },
): Promise<void> {
	const { match, tick } = play.game;
	const world = worlds.selected.value;
	const turn = play.story.value?.turn?.tick ?? match.value?.ended_at ?? tick.value;
	const first = match.value?.started_at ?? 0;
	if (play.running.value) await play.hold();
	navigation.go('make');
	await timeline.look(world, Math.max(first, turn - LEAD_IN));
}
