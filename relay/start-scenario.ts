/**
 * Loads a scene or level file into the world when the program starts.
 * Owns: finding the file and choosing the route that takes it. Never: interprets more of it than that.
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

/** Reads a scene: a file's path, or a name in public/scenes. Rejects with a sentence when it is missing or not JSON. */
export async function readScene(name: string): Promise<SceneCall> {
	const file = [resolve(name), join(SCENES, name), join(SCENES, `${name}.json`)].find((path) =>
		existsSync(path),
	);
	if (file === undefined) {
		const names = existsSync(SCENES)
			? (await readdir(SCENES)).map((scene) => scene.replace(/\.json$/, ''))
			: [];
		const near = nearest(name, names);
		const hint =
			near === undefined ? `Known scenes: ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`;
		throw new Error(`--scene: there is no file ${name} and no scene with that name. ${hint}`);
	}
	const document = await readDocument(file);
	if (typeof document !== 'object' || document === null || Array.isArray(document)) {
		throw new Error(`--scene: ${file} does not contain a JSON object.`);
	}
	const { version, templates } = document as { version?: unknown; templates?: unknown };
	const scenario = (typeof version === 'number' && version >= 2) || templates !== undefined;
	return scenario
		? { path: '/scenario', body: document }
		: { path: '/level/load', body: { level: document } };
}

/** Returns the JSON of a regular file, which is checked as a body is. Rejects with a sentence. */
async function readDocument(path: string): Promise<unknown> {
	// Opening a pipe without a writer would wait for ever.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const at = await file.stat();
		if (!at.isFile()) throw new Error(`--scene: ${path} is not a regular file.`);
		if (at.size > MAX_DOCUMENT_BYTES)
			throw new Error(
				`--scene: ${path} has ${at.size} bytes; a file may have at most ${MAX_DOCUMENT_BYTES}.`,
			);
		return parseJson(await file.readFile(), path, MAX_DOCUMENT_DEPTH);
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		throw new Error(`--scene: ${error.message} ${error.fix ?? ''}`.trim());
	} finally {
		await file.close();
	}
}

/** Sends the scene to the world. Rejects with the world's own message when it refuses. */
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
