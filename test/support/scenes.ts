/**
 * The games of public/scenes, played in process.
 * Owns: which games there are, and putting one into an engine.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { clientOf } from './engine.ts';

const FOLDER = fileURLToPath(new URL('../../public/scenes/', import.meta.url));

/** Names of all games, sorted. */
export function sceneNames(): string[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/** A game in a fresh engine with a seed; throws when the engine refuses it or has to warn. */
export async function openScene(name: string, seed: number): Promise<Engine> {
	const document = JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as unknown;
	const engine = await createEngine({ seed });
	const { body } = await clientOf(engine.handle).call('POST', '/scenario', document);
	if (body.ok !== true || body.warnings !== undefined) {
		engine.close();
		throw new Error(`The scene ${name} was answered with ${JSON.stringify(body)}`);
	}
	return engine;
}
