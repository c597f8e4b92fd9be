/** Indexes of Lua values that are not on the stack. */

/** Index of the registry: values that a Lua state keeps and that scripts cannot reach. */
export const REGISTRY = -1_001_000;

/** Returns the index of an upvalue of the running C function, counted from 1. */
export const upvalue = (position: number): number => REGISTRY - position;
