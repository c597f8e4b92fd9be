/**
 * The inside of a pool's worker: an engine that answers calls about the world that it was sent.
 * Owns: noticing a call that asks for files, which only the engine of the pool has.
 */

import { dispose } from '../sim/core/clone.ts';
import { loadWorld } from '../sim/create-world.ts';
import { FileError, type Files } from '../store/files.ts';
import { createEngine, type Engine } from './engine.ts';
import type { FromPoolWorker, ToPoolWorker } from './pool.ts';

/** A function that answers one message after the other. It never rejects. */
export function poolEngine(): (message: ToPoolWorker) => Promise<FromPoolWorker> {
	let asked = false;
	const refuse = (): never => {
		asked = true;
		throw new FileError('failed', 'A worker has no files.');
	};
	const files: Files = {
		storage: 'a worker',
		list: async () => refuse(),
		read: async () => refuse(),
		write: async () => refuse(),
	};
	const started = createEngine({ files, readPublic: async () => refuse(), report: () => {} });
	const answer = async ({ id, request, world }: ToPoolWorker): Promise<FromPoolWorker> => {
		const engine = await started;
		if (world !== undefined) await load(engine, world);
		if (request === undefined) return { id, response: null };
		asked = false;
		const response = await engine.handle(request);
		return { id, response: asked || response.status >= 500 ? null : response };
	};
	let last: Promise<unknown> = started;
	return (message) => {
		const broken: FromPoolWorker = { id: message.id, response: null, isBroken: true };
		const next = last.then(() => answer(message)).catch(() => broken);
		last = next;
		return next;
	};
}

async function load({ worlds, assets }: Engine, { bytes, assets: sent }: NonNullable<ToPoolWorker['world']>) {
	for (const asset of sent)
		if (asset.hash === undefined || assets.find(asset.hash) === undefined) await assets.restore(asset);
	const { main } = worlds;
	const before = main.world;
	main.world = loadWorld(bytes, before.assets);
	dispose(before);
}
