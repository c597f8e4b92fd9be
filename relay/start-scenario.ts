/**
 * Loads a scene or level file into the world when the program starts.
 * Owns: the search for the file, and the choice of the route for it. Never: interprets the rest of the file.
 */

import { constants, existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '../shared/contract/errors.ts';
import { parseJson } from '../shared/contract/json-text.ts';
import { nearest } from '../shared/contract/nearest.ts';
import { type CallHandler, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_DEPTH } from '../shared/contract/wire.ts';
import { createClient } from '../shared/transport/client.ts';
import { PUBLIC } from './folders.ts';

const SCENES = join(PUBLIC, 'scenes');

export interface SceneCall {
	readonly path: '/scenario' | '/level/load';
	readonly body: object;
}

/** Reads a scene by the path of its file, or by its name in public/scenes. Rejects with a clear error if it is missing or not JSON. */
export async function readScene(name: string): Promise<SceneCall> {
	const file = [resolve(name), join(SCENES, name), join(SCENES, `${name}.json`)].find((path) =>
		existsSync(path),
	);
	if (file === undefined) {
		const names = existsSync(SCENES)
			? (await readdir(SCENES)).map((scene) => scene.replace(/\.json$/, ''))
			: [];
		const suggestedName = nearest(name, names);
		const hint =
			suggestedName === undefined
				? `Known scenes: ${names.join(', ') || 'none'}.`
				: `Did you mean ${suggestedName}?`;
		throw new Error(`--scene: there is no file ${name} and no scene with that name. ${hint}`);
	}
	const document = await readDocument(file);
	if (typeof document !== 'object' || document === null || Array.isArray(document)) {
		throw new Error(`--scene: ${file} does not contain a JSON object.`);
	}
	const { version, templates } = document as { version?: unknown; templates?: unknown };
	const isScenario = (typeof version === 'number' && version >= 2) || templates !== undefined;
	return isScenario
		? { path: '/scenario', body: document }
		: { path: '/level/load', body: { level: document } };
}

/** Returns the JSON of a regular file. It must meet the same limits as a body. Rejects with a clear error. */
async function readDocument(path: string): Promise<unknown> {
	// Opening a pipe without a writer would wait for ever.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const stats = await file.stat();
		if (!stats.isFile()) throw new Error(`--scene: ${path} is not a regular file.`);
		if (stats.size > MAX_DOCUMENT_BYTES)
			throw new Error(
				`--scene: ${path} has ${stats.size} bytes; a file may have at most ${MAX_DOCUMENT_BYTES}.`,
			);
		return parseJson(await file.readFile(), path, MAX_DOCUMENT_DEPTH);
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		throw new Error(`--scene: ${error.message} ${error.fix ?? ''}`.trim());
	} finally {
		await file.close();
	}
}

/** Sends the scene to the world. If the world refuses it, this rejects with the world's message. */
export async function loadScene(call: CallHandler, scene: SceneCall): Promise<void> {
	const client = createClient(call, { 'user-agent': 'orrery --scene' });
	const { status, body } = await client.send({ method: 'POST', path: scene.path, body: scene.body });
	const answer = JSON.parse(Buffer.from(body).toString()) as { ok?: boolean; error?: string; fix?: string };
	if (status >= 400 || answer.ok === false) {
		throw new Error(
			`--scene: the engine refused the scene: ${answer.error ?? `status ${status}`} ${answer.fix ?? ''}`.trim(),
		);
	}
}
