/**
 * Builds the wheel of the Python package `orrery`: the modules in `package/`, and the client of the routes.
 * Owns: its metadata and its bytes, which are equal for every build. Never: writes a file.
 */

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { type Route, TAGS } from '../../shared/contract/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { tasks } from '../../shared/suite/index.ts';
import { ROOT } from '../folders.ts';
import { clientModules } from './client-text.ts';

const PACKAGE = join(ROOT, 'relay/python/package');

/** Time of every file in the wheel: the earliest time in a zip, as local time. */
const FILE_TIME = new Date(1980, 0, 1);

export interface Wheel {
	/** File name, such as `orrery-1.2.0-py3-none-any.whl`. */
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** Returns the wheel of this version. */
export function buildWheel(declaredRoutes: readonly Route[] = routes as readonly Route[]): Wheel {
	const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		version: string;
		description: string;
	};
	const info = `orrery-${version}.dist-info`;
	const files = new Map([
		...moduleTexts(declaredRoutes, version),
		[`${info}/METADATA`, metadata(version, description)],
		[`${info}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: orrery\nRoot-Is-Purelib: true\nTag: py3-none-any\n'],
		[`${info}/licenses/LICENSE`, readFileSync(join(ROOT, 'LICENSE'), 'utf8')],
	]);
	const record = `${info}/RECORD`;
	files.set(record, recordOf(files, record));
	return { name: `orrery-${version}-py3-none-any.whl`, bytes: zipOf(files) };
}

/** Returns the module that names the tasks of the suite. */
function suiteText(): string {
	const rows = tasks.map(({ id, budget }) => `    "${id}": ${budget.calls},`);
	return [
		'"""Tasks of the suite. Generated from their declarations."""',
		'',
		'#: Calls of the budget, by the id of the task.',
		'TASKS: dict[str, int] = {',
		...rows,
		'}',
		'',
	].join('\n');
}

/** Returns every module of the package by its path. */
export function moduleTexts(declaredRoutes: readonly Route[], version: string): ReadonlyMap<string, string> {
	const { types, sync, async } = clientModules(declaredRoutes);
	const sourceFiles = globSync('orrery/**/*{.py,py.typed}', { cwd: PACKAGE }).map((path) => [
		path.replaceAll(sep, '/'),
		readFileSync(join(PACKAGE, path), 'utf8'),
	]) as [string, string][];
	const generatedFiles: [string, string][] = [
		['orrery/_async_client.py', async],
		['orrery/_client.py', sync],
		['orrery/_suite.py', suiteText()],
		['orrery/_types.py', types],
		[
			'orrery/_version.py',
			`"""Version of the package and of the server that it belongs to."""\n\n__version__ = "${version}"\n`,
		],
	];
	return new Map([...sourceFiles, ...generatedFiles].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the page that lists the wheel, for `pip install --find-links`. */
export function indexPage({ name, bytes }: Wheel): string {
	const hash = createHash('sha256').update(bytes).digest('hex');
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Python package of Orrery</title></head>
<body>
<p><a href="${name}#sha256=${hash}">${name}</a></p>
</body>
</html>
`;
}

function metadata(version: string, summary: string): string {
	return `Metadata-Version: 2.4
Name: orrery
Version: ${version}
Summary: ${summary}
License-Expression: MIT
License-File: LICENSE
Requires-Python: >=3.10
Provides-Extra: gym
Requires-Dist: gymnasium>=1.0; extra == "gym"
Requires-Dist: numpy; extra == "gym"
Provides-Extra: pettingzoo
Requires-Dist: pettingzoo>=1.24; extra == "pettingzoo"
Requires-Dist: gymnasium>=1.0; extra == "pettingzoo"
Requires-Dist: numpy; extra == "pettingzoo"
Description-Content-Type: text/markdown

A typed client of Orrery, a 3D world engine. It has no dependencies. A server has the wheel of its own version under
\`/python/\`, and the guide of the server has a tutorial: \`/guide/python\`.

Tags of its routes: ${Object.keys(TAGS).join(', ')}.
`;
}

/** Returns the list of all files with their hashes and sizes. The list itself is in it without them. */
function recordOf(files: ReadonlyMap<string, string>, recordPath: string): string {
	const rows = [...files].map(([path, text]) => {
		const bytes = strToU8(text);
		return `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`;
	});
	return `${[...rows, `${recordPath},,`].join('\n')}\n`;
}

function zipOf(files: ReadonlyMap<string, string>): Uint8Array {
	const members: Zippable = {};
	// Read and write for the owner, read for others, as a plain file on Unix.
	for (const [path, text] of files)
		members[path] = [strToU8(text), { mtime: FILE_TIME, os: 3, attrs: 0o100644 << 16, level: 9 }];
	return zipSync(members);
}
