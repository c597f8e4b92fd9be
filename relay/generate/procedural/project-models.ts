/**
 * Models that come with the project, for prompts that name one.
 * Owns: the search for their files, and reading them.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLIC } from '../../folders.ts';
import { Sculpture } from './sculpture.ts';

const FOLDER = join(PUBLIC, 'models');
const SUFFIX = '.glb';

let names: ReadonlySet<string> | undefined;

export function isProjectModel(name: string): boolean {
	names ??= new Set(readdirSync(FOLDER).map((file) => file.slice(0, -SUFFIX.length)));
	return names.has(name);
}

export const projectModel = (name: string): Sculpture =>
	Sculpture.read(readFileSync(join(FOLDER, name + SUFFIX)));
