/**
 * Order of the test files: the longest first, so that no long file runs alone at the end.
 * Files that share the modules of a worker stay together: the worker ends when a file of another project is next.
 */

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds that each test file took when times were last saved. */
export type Times = Readonly<Record<string, number>>;

const FILE = new URL('times.json', import.meta.url);

/** Returns the saved seconds of each known test file, by path from the root. */
export function savedTimes(): Times {
	return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Times) : {};
}

/** Sorts by project, then by saved time. Unknown files come first: they may be long. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const times = savedTimes();
		const root = this.ctx.config.root;
		const time = ({ moduleId }: TestSpecification): number =>
			times[relative(root, moduleId)] ?? Number.POSITIVE_INFINITY;
		const byTime = (await super.sort(files)).toSorted((a, b) =>
			time(a) === time(b) ? 0 : time(b) - time(a),
		);
		const projects = Map.groupBy(byTime, ({ project }) => project);
		const [isolated, shared] = [true, false].map((isolate) =>
			[...projects].flatMap(([{ config }, specifications]) =>
				config.isolate === isolate ? specifications : [],
			),
		);
		return [...isolated!, ...shared!];
	}
}
