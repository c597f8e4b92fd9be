/** Checks the text of the Dockerfile, because no Docker runs here. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../relay/folders.ts';
import { parseFlags } from '../../relay/options.ts';
import { getHealth } from '../../shared/routes/world.ts';

const FILE = join(ROOT, 'relay/Dockerfile');
const { bin, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
	bin: Record<string, string>;
	engines: { node: string };
};

/** Instructions of all stages, with continued lines joined. */
const lines = readFileSync(FILE, 'utf8')
	.replaceAll(/^#.*\n/gm, '')
	.replaceAll(/\\\n\s*/g, '')
	.split('\n')
	.filter((line) => line !== '')
	.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
const lastStage = lines.slice(lines.findLastIndex(([word]) => word === 'FROM'));
const valuesOf = (instruction: string, from = lines) =>
	from.filter(([word]) => word === instruction).map(([, rest]) => rest);

test('is based on a slim Debian with a supported Node', () => {
	for (const image of valuesOf('FROM')) {
		const [, major] = /^node:(\d+)-trixie-slim\b/.exec(image) ?? [];
		expect(Number(major), image).toBeGreaterThan(Number(/\d+/.exec(engines.node)![0]));
	}
	expect(existsSync(`${FILE}.dockerignore`)).toBe(true);
	expect(readFileSync(`${FILE}.dockerignore`, 'utf8').split('\n')).toContain('node_modules');
});

test('runs as a user other than root that owns the folder of the worlds', () => {
	const words = lastStage.map(([word]) => word);
	const [user] = valuesOf('USER', lastStage);
	expect(user).toBe('node');
	expect(words.lastIndexOf('RUN')).toBeLessThan(words.indexOf('USER'));
	const [, , , folder] = JSON.parse(valuesOf('ENTRYPOINT', lastStage)[0]!) as string[];
	expect(valuesOf('VOLUME', lastStage)).toEqual([folder]);
	expect(valuesOf('RUN', lastStage)).toContain(`mkdir ${folder} && chown ${user}:${user} ${folder}`);
});

test('starts the program of the package with existing flags, on the exposed port', () => {
	const [program, command, ...flags] = JSON.parse(valuesOf('ENTRYPOINT', lastStage)[0]!) as string[];
	expect(Object.keys(bin)).toContain(program);
	expect(command).toBe('start');
	const { port, headless } = parseFlags(flags);
	// Without a display, the server is headless, and a person may add `--engine node`.
	expect([headless, valuesOf('EXPOSE', lastStage)]).toEqual([false, [String(port)]]);
	expect(valuesOf('HEALTHCHECK', lastStage)[0]).toContain(`http://127.0.0.1:${port}${getHealth.path}'`);
	expect(valuesOf('STOPSIGNAL', lastStage)).toEqual(['SIGTERM']);
});
