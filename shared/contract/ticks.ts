/** Simulated time: ticks of 1/60 s. */

export const TICKS_PER_SECOND = 60;
