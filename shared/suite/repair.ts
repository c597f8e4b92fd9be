import type { SuiteTask } from './task.ts';
export const REPAIR: readonly SuiteTask[] = [];
