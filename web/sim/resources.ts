/** The explicit list of a world's resources: single immutable values. */

import { CameraPose } from './camera/camera.ts';
import type { Resource } from './core/resource.ts';
import { Match } from './level/match-settings.ts';

export const resources: readonly Resource[] = [CameraPose as Resource, Match as Resource];
