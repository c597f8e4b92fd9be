import type { SuiteTask } from './task.ts';
export const PROVE: readonly SuiteTask[] = [];
