/**
 * Loads a scene or level file into the world when the program starts.
 * Owns: finding the file and choosing the route that takes it. Never: interprets more of it than that.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient } from '../shared/contract/client.ts';
import { nearest } from '../shared/contract/nearest.ts';
import type { CallHandler } from '../shared/contract/wire.ts';

const SCENES = resolve(import.meta.dirname, '../public/scenes');

export interface Scene {
	readonly path: '/scenario' | '/level/load';
	readonly body: object;
}

/** Reads a scene: a file's path, or a name in public/scenes. Rejects with a sentence when it is missing or not JSON. */
export async function readScene(name: string): Promise<Scene> {
	const file = [resolve(name), join(SCENES, name), join(SCENES, `${name}.json`)].find((path) =>
		existsSync(path),
	);
	if (file === undefined) {
		const names = existsSync(SCENES)
			? (await readdir(SCENES)).map((scene) => scene.replace(/\.json$/, ''))
			: [];
		const near = nearest(name, names);
		const hint =
			near === undefined ? `Scenes there are: ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`;
		throw new Error(`--scene: there is no file ${name}, and no scene of that name. ${hint}`);
	}
	let document: unknown;
	try {
		document = JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		throw new Error(`--scene: ${file} is not JSON: ${error instanceof Error ? error.message : error}`);
	}
	if (typeof document !== 'object' || document === null || Array.isArray(document)) {
		throw new Error(`--scene: ${file} holds no JSON object.`);
	}
	const { version, templates } = document as { version?: unknown; templates?: unknown };
	const scenario = (typeof version === 'number' && version >= 2) || templates !== undefined;
	return scenario
		? { path: '/scenario', body: document }
		: { path: '/level/load', body: { level: document } };
}

/** Sends the scene to the world. Rejects with the world's own message when it refuses. */
export async function loadScene(call: CallHandler, scene: Scene): Promise<void> {
	const client = createClient(call, { 'user-agent': 'orrery --scene' });
	const { status, body } = await client.send({ method: 'POST', path: scene.path, body: scene.body });
	const answer = JSON.parse(Buffer.from(body).toString()) as { ok?: boolean; error?: string; fix?: string };
	if (status >= 400 || answer.ok === false) {
		throw new Error(
			`--scene: the world refused it: ${answer.error ?? `status ${status}`} ${answer.fix ?? ''}`.trim(),
		);
	}
}
