/** One firing of a rule: its subject, and its cause. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import type { EntityReader } from './condition.ts';

export interface Occurrence {
	readonly subject: EntityHandle | null;
	readonly source: EntityHandle | null;
	/** The subject, when it is gone: what is still known of it. */
	readonly gone?: EntityReader;
}

/** Tells subjects apart, those that had the same slot too. */
export const subjectKey = ({ subject }: Occurrence): string =>
	subject === null ? '' : `${subject.id}:${subject.generation}`;
