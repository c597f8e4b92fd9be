/** The target `this`: the entity for which the rule fired. */

import { targetWord } from './target.ts';

export const thisEntity = targetWord({ kind: 'this', needs: 'subject', access: { reads: ['entities'] } });
