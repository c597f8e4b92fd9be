/** One occurrence of a condition: its subject, and the entity that caused it. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import type { EntityReader } from './condition.ts';

export interface Occurrence {
	readonly subject: EntityHandle | null;
	readonly source: EntityHandle | null;
	/** Recorded values of a despawned subject. */
	readonly despawnedReader?: EntityReader;
}

/** Returns a key of the subject. Entities that used the same slot have different keys. */
export const subjectKey = ({ subject }: Occurrence): string =>
	subject === null ? '' : `${subject.id}:${subject.generation}`;
