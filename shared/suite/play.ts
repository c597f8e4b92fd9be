import type { SuiteTask } from './task.ts';
export const PLAY: readonly SuiteTask[] = [];
