/** What an engine needs only when it has a journal: a page without one does not load it. */

export { firstTick } from './first-tick.ts';
export { linesOf, momentOf } from './history.ts';
export { keepTurn } from './kept-turn.ts';
export { lineageOf } from './lineage.ts';
export { replay } from './replay.ts';
export { Scribe } from './scribe.ts';
export { drop, inflatedWhole, packState, unpackState } from './state.ts';
export { STATE_EVERY } from './state-keeper.ts';
export { undone } from './undone.ts';
