/** All tasks of the suite, in the order in which they run. */

import { BUILD } from './build.ts';
import { PLAY } from './play.ts';
import { PROVE } from './prove.ts';
import { REPAIR } from './repair.ts';
import { GROUPS, type GroupedTask, type SuiteTask, type TaskGroup } from './task.ts';
import { UNDERSTAND } from './understand.ts';

const BY_GROUP: Readonly<Record<TaskGroup, readonly SuiteTask[]>> = {
	build: BUILD,
	understand: UNDERSTAND,
	repair: REPAIR,
	play: PLAY,
	prove: PROVE,
};

export const tasks: readonly GroupedTask[] = GROUPS.flatMap((group) =>
	BY_GROUP[group].map((task) => ({ group, ...task })),
);
