/**
 * Looking back from the end of a match to its turn.
 * Owns: the tick that is shown, and that the world stands still meanwhile.
 */

import type { Timeline } from '../make/timeline/timeline-state.ts';
import type { Play, PlayServices } from './play-state.ts';

/** Ticks before the turn of a match at which a look back begins. */
const LEAD_IN = 120;

/** Pauses the world, and shows it in Make as it was shortly before the match turned. */
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
