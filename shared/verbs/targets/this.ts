/** The target `this`: the entity that the rule fired for. */

import { targetWord } from './target.ts';

export const thisEntity = targetWord({ kind: 'this', needs: 'subject', access: { reads: ['entities'] } });
