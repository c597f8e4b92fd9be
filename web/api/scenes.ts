/** Handlers of the tag Scenes and scenarios. */

import { Fault } from '../../shared/contract/errors.ts';
import { shapeFault } from '../../shared/contract/explain-issue.ts';
import * as routes from '../../shared/routes/scenes.ts';
import type { Host } from '../host/context.ts';
import { applyLevel, type LevelDocument } from '../sim/level/apply-level.ts';
import { handler } from './handler.ts';

async function levelFile(host: Host, path: string): Promise<LevelDocument> {
	const bytes = await host.readFile(path);
	let sent: unknown;
	try {
		sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch (error) {
		throw new Fault('invalid_level', `${path} is not JSON: ${(error as Error).message}.`);
	}
	const parsed = routes.levelDocument.safeParse(sent);
	if (!parsed.success) throw shapeFault('invalid_level', routes.levelDocument, parsed.error, sent);
	return parsed.data;
}

export const handlers = [
	handler(routes.loadLevel, async ({ host, held }, { body }) => {
		const level = 'level' in body ? body.level : await levelFile(host, body.path);
		const { created, warnings } = host.worlds.atomically(held, (world) => applyLevel(world, level));
		return { entities_created: created, ...(warnings.length > 0 ? { warnings } : {}) };
	}),
];
