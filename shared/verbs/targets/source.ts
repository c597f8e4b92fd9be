/** The target `source`: the entity that caused what the rule fired for. */

import { targetWord } from './target.ts';

export const source = targetWord({ kind: 'source', needs: 'source', access: { reads: ['entities'] } });
