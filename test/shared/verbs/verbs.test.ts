/** Each verb has one declaration and one implementation. A new verb needs those two files and an entry in two lists. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { components } from '../../../shared/components/index.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import { ACTIONS, type Action } from '../../../shared/verbs/actions/index.ts';
import { CONDITIONS, wordOf } from '../../../shared/verbs/conditions/index.ts';
import { TARGETS } from '../../../shared/verbs/targets/index.ts';
import { parts } from '../../../web/sim/parts.ts';
import { resources } from '../../../web/sim/resources.ts';
import { schedule } from '../../../web/sim/schedule.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VERBS = {
	conditions: CONDITIONS.map(({ name }) => name),
	actions: ACTIONS.map(({ kind }) => kind),
	targets: TARGETS.map(({ kind }) => kind),
} as const;

const fileOf = (name: string) => `${name.replaceAll('_', '-')}.ts`;

describe.each(Object.entries(VERBS))('%s', (folder, names) => {
	test.each([...names])('%s is declared in one file and implemented in one', (name) => {
		for (const place of ['shared/verbs', 'web/sim/rules'])
			expect(readdirSync(join(ROOT, place, folder))).toContain(fileOf(name));
	});
});

/** Folders and files that deal with verbs. In them, only a verb's own files and the lists may decide by its name. */
const PLACES = [
	'shared/verbs',
	'shared/documents',
	'web/sim/rules',
	'web/sim/assertions',
	'web/sim/peek',
	'web/api/rules.ts',
	'web/api/assertions.ts',
	'web/api/simulation.ts',
	'web/ui/odds/rule-line.ts',
];
/** The kinds that the signs of short texts stand for (`!`, `&`, `|`). Every file may decide by their names. */
const SIGNS = /kind: '(not|any|all)'|type: '(and|any)'|kind: 'any' \| 'all'|: '(any|all)'/;

const filesAt = (place: string): string[] =>
	place.endsWith('.ts')
		? [place]
		: readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
				.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

test("only a verb's own files branch on its name", () => {
	const names = [...CONDITIONS.map(wordOf), ...VERBS.actions].join('|');
	const decision = new RegExp(`(\\.(kind|action)\\b\\s*[!=]==|\\b(kind|action):|\\bcase)\\s*'(${names})'`);
	const faults: string[] = [];
	for (const place of PLACES)
		for (const file of filesAt(place)) {
			const isOwn = Object.entries(VERBS).some(
				([folder, kinds]) =>
					file.includes(`/${folder}/`) && kinds.some((name) => file.endsWith(`/${fileOf(name)}`)),
			);
			if (isOwn) continue;
			for (const line of readFileSync(join(ROOT, file), 'utf8').split('\n'))
				if (decision.test(line) && !SIGNS.test(line)) faults.push(`${file}: ${line.trim()}`);
		}
	expect(faults).toEqual([]);
});

const namesIn = ({ reads = [], writes = [], queries = [], spawns = [] }: VerbAccess) => [
	...reads,
	...writes,
	...spawns,
	...queries.flatMap((query) => [...query.with, ...(query.reads ?? []), ...(query.writes ?? [])]),
];

test('accesses of verbs and systems name existing components, fields, resources and parts', () => {
	const knownNames = new Set([
		...components.flatMap(({ name, fields }) => [
			name,
			...Object.keys(fields).map((field) => `${name}.${field}`),
		]),
		...[...resources, ...parts].map(({ name }) => name),
	]);
	const otherNames = /^(entities|\*|event:\w+|rule:\d+)$/;
	const target = { entity: 1 };
	const sample = {
		target,
		field: 'health.current',
		at: target,
		physics_body: 'Dynamic',
	} as unknown as Action & never;
	const accessedNames = [
		...CONDITIONS.flatMap(({ reads }) => (typeof reads === 'function' ? [] : reads)),
		...TARGETS.flatMap(({ access }) => namesIn(access)),
		...ACTIONS.flatMap(({ access }) => namesIn(typeof access === 'function' ? access(sample) : access)),
		...schedule.flatMap(({ access }) => namesIn(access)),
	];
	expect(accessedNames.length).toBeGreaterThan(200);
	expect(accessedNames.filter((name) => !knownNames.has(name) && !otherNames.test(name))).toEqual([]);
});
