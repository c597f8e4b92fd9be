/** Whether what is applied is kept, for answers that say so. Owns: nothing. */

import type { Host } from '../host/context.ts';

export function journalWorks({ journal }: Host) {
	const message = journal?.trouble()?.message ?? null;
	return {
		active: journal !== null,
		stored: journal?.durable === true,
		works: journal !== null && message === null,
		message,
	};
}
