/** The condition `game_phase`: another spelling of `phase`. */

export { phase as gamePhase } from './phase.ts';
