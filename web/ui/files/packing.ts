/**
 * Worlds as files: reading a world from the engine, and the calls that recreate it.
 * Owns: the choice of the assets in the file.
 */

import { isShipped } from '../../../shared/documents/shipped.ts';
import type { PanelServices } from '../services.ts';
import { type Requests, scenarioRequest } from '../start/replace-main.ts';
import { type AskOutcome, ask } from '../state/ask.ts';
import { type FileAsset, toBase64, type WorldFile } from './world-file.ts';

export type Document = Readonly<Record<string, unknown>>;

interface UsedAsset {
	readonly hash: string;
	readonly media_type: string;
	readonly names: readonly string[];
}

/** A world as a document, and the uploaded assets that it uses. */
export interface PackedWorld {
	readonly document: Document;
	readonly assets: readonly UsedAsset[];
}

/** Returns all texts in a value. */
function textsIn(value: unknown, found = new Set<string>()): Set<string> {
	if (typeof value === 'string') found.add(value);
	else if (typeof value === 'object' && value !== null)
		for (const part of Object.values(value)) textsIn(part, found);
	return found;
}

/** Returns the hashes of those of these files that come with the program. One that cannot be read has none. */
async function shippedHashes(texts: ReadonlySet<string>): Promise<ReadonlySet<string>> {
	const hashes = [...texts].filter(isShipped).map(async (path) => {
		try {
			const answer = await fetch(path);
			const digest = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer());
			return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
		} catch {
			return '';
		}
	});
	return new Set(await Promise.all(hashes));
}

/** Reads a world. `exact`: with all that determines its future. */
export async function pack(
	services: PanelServices,
	world: string,
	exact: boolean,
): Promise<AskOutcome<PackedWorld>> {
	const query = exact ? {} : { exact: 'false', unset: 'false' };
	const document = await ask(services, 'GET', '/scenario', { query, world, on: 'panels' });
	if (!document.ok) return document;
	const listed = await ask(services, 'GET', '/asset/list', { on: 'panels' });
	if (!listed.ok) return listed;
	const texts = textsIn(document.body);
	const used = listed.body.assets.filter(({ hash, names }) =>
		[hash, ...names].some((name) => texts.has(name)),
	);
	// An exact document names files that come with the program by their hashes, too.
	const shipped = used.length === 0 ? new Set() : await shippedHashes(texts);
	const assets = used.filter(({ hash, names }) => !names.some(isShipped) && !shipped.has(hash));
	return { ok: true, body: { document: document.body, assets } };
}

/** Reads an asset for a file. Rejects with a sentence. */
export async function readAsset({ hash, media_type, names }: UsedAsset): Promise<FileAsset> {
	const answer = await fetch(`asset/${hash}`, { headers: { accept: media_type } });
	if (!answer.ok) throw new Error(`the asset "${names[0] ?? hash}" cannot be read (${answer.status}).`);
	return { name: names[0] ?? null, data: await toBase64(await answer.blob()) };
}

/** Uploads the assets of a file, and returns the calls that create its world. Rejects with a sentence. */
export async function unpack(services: PanelServices, { scenario, assets }: WorldFile): Promise<Requests> {
	// Uploads cannot be part of the batch.
	for (const { name, data } of assets) {
		const stored = await ask(services, 'POST', '/asset/upload', {
			query: name === null ? {} : { name },
			body: { data },
		});
		if (!stored.ok) throw new Error(`${stored.refusal.sentence} ${stored.refusal.fix}`);
	}
	return [scenarioRequest(scenario)];
}
