/** One declaration and one behaviour per verb: adding one touches its two files and the two lists. */

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

/** Places that deal with verbs: their names may be in their own files and in the lists. */
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
/** The signs of the short texts stand for these, whatever other kinds there are. */
const SIGNS = /kind: '(not|any|all)'|type: '(and|any)'|kind: 'any' \| 'all'|: '(any|all)'/;

const filesAt = (place: string): string[] =>
	place.endsWith('.ts')
		? [place]
		: readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
				.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

test('no file but its own branches on the name of a kind', () => {
	const names = [...CONDITIONS.map(wordOf), ...VERBS.actions].join('|');
	const decides = new RegExp(`(\\.(kind|action)\\b\\s*[!=]==|\\b(kind|action):|\\bcase)\\s*'(${names})'`);
	const wrong: string[] = [];
	for (const place of PLACES)
		for (const file of filesAt(place)) {
			const own = Object.entries(VERBS).some(
				([folder, kinds]) =>
					file.includes(`/${folder}/`) && kinds.some((name) => file.endsWith(`/${fileOf(name)}`)),
			);
			if (own) continue;
			for (const line of readFileSync(join(ROOT, file), 'utf8').split('\n'))
				if (decides.test(line) && !SIGNS.test(line)) wrong.push(`${file}: ${line.trim()}`);
		}
	expect(wrong).toEqual([]);
});

const namesIn = ({ reads = [], writes = [], queries = [], spawns = [] }: VerbAccess) => [
	...reads,
	...writes,
	...spawns,
	...queries.flatMap((query) => [...query.with, ...(query.reads ?? []), ...(query.writes ?? [])]),
];

test('accesses of verbs and systems name existing things', () => {
	const knownNames = new Set([
		...components.flatMap(({ name, fields }) => [
			name,
			...Object.keys(fields).map((field) => `${name}.${field}`),
		]),
		...[...resources, ...parts].map(({ name }) => name),
	]);
	const extra = /^(entities|\*|event:\w+|rule:\d+)$/;
	const target = { entity: 1 };
	const sample = {
		target,
		field: 'health.current',
		at: target,
		physics_body: 'Dynamic',
	} as unknown as Action & never;
	const touched = [
		...CONDITIONS.flatMap(({ reads }) => (typeof reads === 'function' ? [] : reads)),
		...TARGETS.flatMap(({ access }) => namesIn(access)),
		...ACTIONS.flatMap(({ access }) => namesIn(typeof access === 'function' ? access(sample) : access)),
		...schedule.flatMap(({ access }) => namesIn(access)),
	];
	expect(touched.length).toBeGreaterThan(200);
	expect(touched.filter((name) => !knownNames.has(name) && !extra.test(name))).toEqual([]);
});
