/**
 * The games of public/scenes, played in process.
 * Owns: which games there are, and putting one into an engine.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import type { GoldenGame } from '../../web/proof/play-golden.ts';
import { clientOf } from './engine.ts';
import { PUBLIC, readPublic } from './public-files.ts';

const FOLDER = `${PUBLIC}scenes/`;

/** Time limit for a test that plays a game (ms): it notices a hang, not a busy machine. */
export const GAME_TIMEOUT = 600_000;

/** The game that takes longest. Its long tests have files of their own, so that two cores share the work. */
export const LONGEST_GAME = 'skirmish';
/** Returns the names of the other games, sorted. */
export const shorterGames = (): string[] => sceneNames().filter((name) => name !== LONGEST_GAME);

/** Returns the names of all games, sorted; a scene that has no match is none. */
export function sceneNames(): string[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.filter((file) => 'game' in (JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as object))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/** Returns a game as its golden trace takes it. */
export function goldenGame(name: string): GoldenGame {
	return { name, document: documentOf(name), readPublic };
}

function documentOf(name: string): unknown {
	return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8'));
}

/** Returns a game in a fresh engine with a seed; throws when the engine refuses it or has to warn. */
export async function openScene(name: string, seed: number, more: EngineSettings = {}): Promise<Engine> {
	const engine = await createEngine({ ...more, seed, readPublic });
	const { body } = await clientOf(engine.handle).call('POST', '/scenario', documentOf(name));
	if (body.ok !== true || body.warnings !== undefined) {
		engine.close();
		throw new Error(`The scene ${name} was answered with ${JSON.stringify(body)}`);
	}
	return engine;
}
