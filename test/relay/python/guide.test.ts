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
const needsOnlyPackage = (program: string) =>
	!/gymnasium|orrery\.gym|pettingzoo|stable_baselines3/.test(program);

let unpacked: UnpackedPackage;
beforeAll(async () => {
	unpacked = await unpackWheel(buildWheel());
});
afterAll(() => unpacked.remove());

const OUTPUT_CHECKS: Readonly<Record<string, (output: string) => void>> = {
	'Drive a world': (output) => {
		expect(output).toMatch(/^(\d+\/\d+ [0-9a-f]{16}\n){12}True True\n$/);
		const odds = [...output.matchAll(/^(\d+)\/(\d+) /gm)].map(([, num, den]) => [Number(num), Number(den)]);
		const denominator = 90;
		expect(odds.reduce((sum, [num, den]) => sum + (num! * denominator) / den!, 0)).toBe(denominator);
	},
	'Step many episodes in one call': (output) => {
		const [, wait, cry] = /^wait ([\d.]+)\ncry ([\d.]+)\n$/.exec(output)!;
		expect(Number(cry)).toBeGreaterThan(Number(wait));
	},
	'Your own game': (output) => expect(output).toBe('[[6]]\n'),
};

test('the checks cover each program of the tutorial that needs only the package', () => {
	expect(programs.filter(([, program]) => needsOnlyPackage(program)).map(([title]) => title)).toEqual(
		Object.keys(OUTPUT_CHECKS),
	);
	expect(programs.length).toBeGreaterThan(Object.keys(OUTPUT_CHECKS).length);
});

test.runIf(hasPython).each(programs)(
	'"%s" runs, or compiles if it needs more than Python',
	async (title, program) => {
		if (needsOnlyPackage(program)) OUTPUT_CHECKS[title]!(await unpacked.run(program));
		else await unpacked.run(`compile(${JSON.stringify(program)}, "guide", "exec")`);
	},
);
