/** The target `source`: the entity that caused the firing of the rule. */

import { targetWord } from './target.ts';

export const source = targetWord({ kind: 'source', needs: 'source', access: { reads: ['entities'] } });
