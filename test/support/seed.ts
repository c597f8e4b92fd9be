/** Seed and number of random cases. Owns: the environment variables that set them. */

/** Seed of all random cases. ORRERY_SEED sets it. It is part of the test titles. */
export const SEED = Number(process.env.ORRERY_SEED ?? 20_261_120);

/** Factor for every number of cases. ORRERY_TIMES sets it, for more thorough runs. */
export const TIMES = Number(process.env.ORRERY_TIMES ?? 1);

/** Returns a number of cases, multiplied by the factor. */
export const times = (runs: number): number => Math.ceil(runs * TIMES);
