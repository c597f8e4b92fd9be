/** Indices of values of Lua that are not on the stack. */

/** Index of the registry: the values that a state of Lua keeps and scripts cannot reach. */
export const REGISTRY = -1_001_000;

/** Index of a value that belongs to the C function that runs, from 1 on. */
export const upvalue = (which: number): number => REGISTRY - which;
