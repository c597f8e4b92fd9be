/**
 * The games of `public/scenes`, played in this process.
 * Owns: the list of games, and opening one in an engine.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import type { GoldenGame } from '../../web/proof/play-golden.ts';
import { clientOf } from './engine.ts';
import { PUBLIC, readPublic } from './public-files.ts';

const FOLDER = `${PUBLIC}scenes/`;

/** Timeout of a test that plays a game (ms). It is long enough for a busy machine, so only a hang reaches it. */
export const GAME_TIMEOUT = 600_000;

/** The game that takes longest. Its tests have their own files, so that several cores share the work. */
export const LONGEST_GAME = 'skirmish';
/** Returns the names of the other games, sorted. */
export const shorterGames = (): string[] => sceneNames().filter((name) => name !== LONGEST_GAME);

/** Returns the names of all games, sorted. A scene without a match is not a game. */
export function sceneNames(): string[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.filter((file) => 'game' in (JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as object))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/** Returns a game for playing its golden trace. */
export function goldenGame(name: string): GoldenGame {
	return { name, document: documentOf(name), readPublic };
}

function documentOf(name: string): unknown {
	return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8'));
}

/** Opens a game in a new engine with a seed. Throws if the scenario is refused or has warnings. */
export async function openScene(name: string, seed: number, settings: EngineSettings = {}): Promise<Engine> {
	const engine = await createEngine({ ...settings, seed, readPublic });
	const { body } = await clientOf(engine.handle).call('POST', '/scenario', documentOf(name));
	if (body.ok !== true || body.warnings !== undefined) {
		engine.close();
		throw new Error(`The scene ${name} was answered with ${JSON.stringify(body)}`);
	}
	return engine;
}
