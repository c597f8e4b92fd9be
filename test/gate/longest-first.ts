/** Order of the test files: the longest first, so that no long file is left to one core at the end. */

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds that each test file took when times were last saved. */
export type Times = Readonly<Record<string, number>>;

const FILE = new URL('times.json', import.meta.url);

/** Seconds of each known test file, by path from the root. */
export function savedTimes(): Times {
	return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Times) : {};
}

/** Sorts by saved time. Unknown files come first: they may be long. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const times = savedTimes();
		const root = this.ctx.config.root;
		const time = ({ moduleId }: TestSpecification): number =>
			times[relative(root, moduleId)] ?? Number.POSITIVE_INFINITY;
		const sorted = await super.sort(files);
		return sorted.toSorted((a, b) => (time(a) === time(b) ? 0 : time(b) - time(a)));
	}
}
