/**
 * Scenes that are built by calls, as scenario documents.
 * Owns: the list of the scenes, the run of their calls on an engine in this process, and the export of the world.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../shared/transport/client.ts';
import { createEngine } from '../../host/engine.ts';
import { buildSkirmish } from './skirmish.ts';
import { buildVillage } from './village.ts';

type Json = Record<string, unknown>;
/** Makes a POST request and returns its answer; rejects if the call fails. */
export type Call = (path: string, body: Json) => Promise<Json>;

interface SceneBuild {
	/** Name of the document: a title, a colon, and a few words. */
	readonly name: string;
	/** Builds the scene in an empty world. */
	readonly build: (call: Call) => Promise<void>;
}

export const BUILT_SCENES: Readonly<Record<string, SceneBuild>> = {
	skirmish: {
		name: 'Skirmish: two camps, two passes, and a giant asleep between them',
		build: buildSkirmish,
	},
	village: { name: 'Village: dusk on a hill, lamps, chimneys and a bell', build: buildVillage },
};

/** Builds a scene and exports it. `folder` has the public files, from which the scene takes models and sounds. */
export async function buildScene(scene: string, folder: string): Promise<Json> {
	const { name, build } = BUILT_SCENES[scene]!;
	/** Paths of the loaded files by their hashes. */
	const pathsByHash = new Map<string, string>();
	const readPublic = async (path: string): Promise<Uint8Array | null> => {
		const file = join(folder, path);
		if (!existsSync(file)) return null;
		const bytes = await readFile(file);
		pathsByHash.set(createHash('sha256').update(bytes).digest('hex'), path);
		return new Uint8Array(bytes);
	};
	const engine = await createEngine({ readPublic });
	try {
		const client = createClient(engine.handle);
		const send = async (method: string, path: string, query: string, body?: Json): Promise<Json> => {
			const request = { method, path, query, ...(body === undefined ? {} : { body }) };
			const answer = JSON.parse(new TextDecoder().decode((await client.send(request)).body)) as Json;
			if (answer.ok === false || answer.warnings !== undefined)
				throw new Error(`${path} returned ${JSON.stringify(answer)}`);
			return answer;
		};
		await build((path, body) => send('POST', path, '', body));
		const { version, entities, ...rest } = await send('GET', '/scenario', 'exact=false&unset=false');
		const document = { version, name, ...rest, entities: (entities as Json[]).map(withoutDerived) };
		// The document names files by paths, because other engines do not know the hashes.
		const text = JSON.stringify(document).replace(/[0-9a-f]{64}/g, (hash) => pathsByHash.get(hash) ?? hash);
		return JSON.parse(text) as Json;
	} finally {
		engine.close();
	}
}

/** Returns an entity without derived components. */
function withoutDerived({ components, ...rest }: Json): Json {
	const { global_transform: _, ...stored } = (components ?? {}) as Json;
	return { ...rest, ...(Object.keys(stored).length > 0 ? { components: stored } : {}) };
}
