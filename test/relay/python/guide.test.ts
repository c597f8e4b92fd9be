/**
 * The programs of the guide's Python tutorial. Each starts a server.
 * Owns: programs that need only the package. `npm run python` runs the programs that need learning libraries.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../relay/folders.ts';
import { buildWheel } from '../../../relay/python/wheel.ts';
import { hasPython, type UnpackedPackage, unpackWheel } from '../../support/python.ts';

const page = readFileSync(join(ROOT, 'public/guide/python.md'), 'utf8');
const programs = [...page.matchAll(/^## (.+)\n[^#]*?```python\n([\s\S]*?)^```$/gm)].map(
	([, title, program]) => [title!, program!] as const,
);
const isAlone = (program: string) => !/gymnasium|orrery\.gym|pettingzoo|stable_baselines3/.test(program);

let unpacked: UnpackedPackage;
beforeAll(async () => {
	unpacked = await unpackWheel(buildWheel());
});
afterAll(() => unpacked.remove());

const ENDS: Readonly<Record<string, (printed: string) => void>> = {
	'Drive a world': (printed) => {
		expect(printed).toMatch(/^(\d+\/\d+ [0-9a-f]{16}\n){12}True True\n$/);
		const odds = [...printed.matchAll(/^(\d+)\/(\d+) /gm)].map(([, num, den]) => [Number(num), Number(den)]);
		const whole = 90;
		expect(odds.reduce((sum, [num, den]) => sum + (num! * whole) / den!, 0)).toBe(whole);
	},
	'Step many episodes in one call': (printed) => {
		const [, wait, cry] = /^wait ([\d.]+)\ncry ([\d.]+)\n$/.exec(printed)!;
		expect(Number(cry)).toBeGreaterThan(Number(wait));
	},
	'Your own game': (printed) => expect(printed).toBe('[[6]]\n'),
};

test('this file knows the programs of the tutorial, and no others', () => {
	expect(programs.filter(([, program]) => isAlone(program)).map(([title]) => title)).toEqual(
		Object.keys(ENDS),
	);
	expect(programs.length).toBeGreaterThan(Object.keys(ENDS).length);
});

test.runIf(hasPython).each(programs)(
	'"%s" runs, or compiles if it needs more than Python',
	async (title, program) => {
		if (isAlone(program)) ENDS[title]!(await unpacked.run(program));
		else await unpacked.run(`compile(${JSON.stringify(program)}, "guide", "exec")`);
	},
);
