/** Seed and number of random cases. Owns: the variables that choose them. */

/** Seed of every random case. ORRERY_SEED chooses another. The names of the tests contain it. */
export const SEED = Number(process.env.ORRERY_SEED ?? 20_261_120);

/** Factor for every number of cases. ORRERY_TIMES chooses another, for a deeper look. */
export const TIMES = Number(process.env.ORRERY_TIMES ?? 1);

/** Returns the number of cases for a usual number of them. */
export const times = (runs: number): number => Math.ceil(runs * TIMES);
