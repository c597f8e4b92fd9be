/**
 * The sections of the inspector: one list, one file for each, no component shown twice.
 * Owns: the cases of make/sections.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { components } from '../../../../shared/components/index.ts';
import { routes } from '../../../../shared/routes/index.ts';
import { patchComponents } from '../../../../shared/routes/world.ts';
import { sections } from '../../../../web/ui/make/sections/index.ts';
import { keysOf, type Section } from '../../../../web/ui/make/sections/section.ts';

const FOLDER = join(import.meta.dirname, '../../../../web/ui/make/sections');

it('lists the section of every file', async () => {
	const files = readdirSync(FOLDER).filter((name) => name.endsWith('.tsx'));
	const declared = await Promise.all(
		files.map(async (name) => (await import(join(FOLDER, name))) as Record<string, Section>),
	);
	expect(declared.flatMap((module) => Object.values(module)).length).toBe(files.length);
	expect(new Set(declared.flatMap((module) => Object.values(module)))).toEqual(new Set(sections));
});

it('shows only existing components, each once', () => {
	const shown = sections.flatMap(({ shows }) => shows);
	for (const component of shown) expect(components).toContain(component);
	expect(new Set(shown).size).toBe(shown.length);
	for (const section of sections) expect(keysOf(section)).toHaveLength(section.shows.length);
});

it('adds a component with an initial value that the API accepts', () => {
	const addable = sections.filter(({ add }) => add !== undefined);
	expect(addable.length).toBeGreaterThan(3);
	for (const section of addable) {
		const add = section.add!;
		if ('route' in add) {
			const route = routes.find(({ method, path }) => `${method} ${path}` === add.route);
			const fields = Object.keys((route!.body as z.ZodObject).shape);
			expect(fields).toEqual(expect.arrayContaining(['entity_id', ...(add.first ?? [])]));
			continue;
		}
		const body = { agent_id: 1, [keysOf(section)[0]!]: add.first };
		const read = patchComponents.body!.safeParse(body);
		expect(read.success, `${add.label}: ${read.error?.message}`).toBe(true);
	}
});
