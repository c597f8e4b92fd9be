/**
 * The hooks of Schemathesis quote refusals of the engine. Every quote must match a text in the source.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS } from '../../shared/contract/errors.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const hooks = readFileSync(join(import.meta.dirname, 'hooks.py'), 'utf8');

/** Returns the texts of a tuple or set of the hooks. */
function textsIn(name: string): string[] {
	const [, inside = ''] = new RegExp(`^${name} = [({]([\\s\\S]*?)\\n?[)}]$`, 'm').exec(hooks) ?? [];
	return [...inside.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => JSON.parse(text) as string);
}

const source = ['shared', 'web']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(ROOT, folder, file),
		),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');

const unsayable = textsIn('UNSAYABLE');

test('the hooks quote refusals', () => expect(unsayable.length).toBeGreaterThan(3));

test.each(unsayable)('the source contains the quote "%s"', (text) => expect(source).toContain(text));

test('the codes of wrong shapes are existing codes', () => {
	expect(textsIn('SHAPE').length).toBeGreaterThan(3);
	expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining(textsIn('SHAPE')));
});
