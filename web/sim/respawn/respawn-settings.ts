/** Numbers of dying and returning: data for the designer. */

/** Time until the dead return when there is no match that says otherwise (s). */
export const RESPAWN_SECONDS = 5;
/** Time until the corpse of a minion is removed (s). */
export const CORPSE_SECONDS = 2;
/** Where the dead of a team without a spawn point return (m). */
export const DEFAULT_SPAWN = [0, 2, 0] as const;
