/**
 * Descriptions of calls for undo, such as "Move Box 3" and "Delete 2 entities".
 * Owns: the texts. The description of any other call is its path.
 */

import { type Entity, entityName } from '../entities/entity.ts';
import { titleIn } from '../worlds/world-title.ts';

/** Returns the name of an entity, which may no longer exist. */
export type NameOf = (id: number) => string;

type Body = Readonly<Record<string, unknown>>;

interface CallDeed {
	readonly verb: string;
	/** Object of the verb; null without one. */
	readonly of: string | null;
	/** True if the call affects an entity. */
	readonly entity: boolean;
}

const ZONE = 'Resize the zone';

const isBody = (value: unknown): value is Body =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that identify an entity and do not change it. */
const ABOUT = new Set(['generation', 'entity_generation', 'agent_id']);

/** Returns the verb of a change of components. */
function verbOf(body: Body): string {
	const keys = Object.keys(body).filter((key) => !ABOUT.has(key));
	if (keys.includes('parent')) return 'Group';
	if (keys.join() === 'player') return 'Play';
	if (keys.join() === 'remove' && String(body.remove) === 'player') return 'Stop playing';
	if (Array.isArray(body.remove))
		return body.remove.includes('parent') ? 'Ungroup' : `Remove ${body.remove.join(' and ')} of`;
	if (keys.length === 1 && isBody(body.transform)) {
		const parts = Object.keys(body.transform);
		return parts.includes('scale') ? 'Scale' : parts.includes('rotation') ? 'Turn' : 'Move';
	}
	const [field = ''] = keys;
	return `Change ${keys.length === 1 ? field.replaceAll('_', ' ') : 'components'} of`;
}

/** Returns the name of a spawned entity. The body can be any JSON, because the console sends it. */
function spawnedName(body: unknown): string {
	if (!isBody(body) || (body.mesh != null && typeof body.mesh !== 'string')) return 'an entity';
	const tags = Array.isArray(body.tags) ? body.tags : [];
	return entityName({ ...body, tags, id: 0, generation: 0 } as Entity);
}

function deedOf(method: string, path: string, body: unknown, nameOf: NameOf): CallDeed {
	const sent = isBody(body) ? body : {};
	const rule = /^\/rule\/(\d+)$/.exec(path)?.[1];
	if (rule !== undefined) {
		const verb =
			method === 'DELETE'
				? 'Delete'
				: typeof sent.enabled !== 'boolean'
					? 'Change'
					: sent.enabled
						? 'Switch on'
						: 'Switch off';
		return { verb, of: nameOf(Number(rule)), entity: true };
	}
	const id = /^\/entities\/(\d+)\/components$/.exec(path)?.[1];
	if (id !== undefined) return { verb: verbOf(sent), of: nameOf(Number(id)), entity: true };
	if (/^\/trigger\/\d+$/.test(path)) return { verb: ZONE, of: null, entity: false };
	const named = typeof sent.entity_id === 'number' ? nameOf(sent.entity_id) : 'an entity';
	switch (path) {
		case '/spawn':
			return { verb: 'Spawn', of: spawnedName(body), entity: true };
		case '/prefab/spawn':
			return { verb: 'Spawn', of: String(sent.name ?? 'a prefab'), entity: true };
		case '/particle/create':
			return { verb: 'Spawn', of: `${String(sent.preset ?? 'particles')}`, entity: true };
		case '/terrain/edit':
			return { verb: 'Brush the ground', of: null, entity: false };
		case '/foliage/scatter':
			return { verb: 'Plant', of: null, entity: false };
		case '/rule/create':
			return { verb: 'Create', of: typeof sent.name === 'string' ? sent.name : 'a rule', entity: true };
		case '/trigger/create':
			return { verb: 'Spawn', of: 'a zone', entity: true };
		case '/despawn':
			return { verb: 'Delete', of: named, entity: true };
		case '/entity/damage':
			return { verb: 'Damage', of: named, entity: true };
		case '/entity/heal':
			return { verb: 'Heal', of: named, entity: true };
		case '/ai/set':
			return {
				verb: `Set the ${sent.behavior === 'patrol' ? 'patrol' : 'goal'} of`,
				of: named,
				entity: true,
			};
		case '/tag':
			return { verb: 'Change tags of', of: named, entity: true };
		case '/step':
			return { verb: 'Step', of: null, entity: false };
	}
	const words = path.slice(1).replace(/[/_-]/g, ' ');
	return { verb: words.slice(0, 1).toUpperCase() + words.slice(1), of: null, entity: false };
}

/** Returns the description of a call. `body` is undefined if it is unknown, for example after a reload. */
export function callWords(method: string, path: string, body: unknown, nameOf: NameOf): string {
	const [bare = ''] = path.split('?');
	if (bare !== '/batch' || !isBody(body) || !Array.isArray(body.requests)) {
		const { verb, of, entity } = deedOf(method, bare, body, nameOf);
		return method === 'DELETE' && !entity ? `Delete ${bare}` : of === null ? verb : `${verb} ${of}`;
	}
	const requests = body.requests.filter(
		(request): request is Body & { readonly path: string } =>
			isBody(request) && typeof request.path === 'string',
	);
	const deeds = requests.map((request) =>
		deedOf(String(request.method ?? 'POST'), request.path, request.body, nameOf),
	);
	const opened = openedTitle(requests);
	if (opened !== null) return `Open ${opened}`;
	if (String(requests[0]?.as).startsWith('copy_')) return `Copy ${deeds.length} entities`;
	if (requests[0]?.as === 'group') return `Group ${deeds.length - 1} entities`;
	if (deeds.some(({ verb }) => verb === 'Ungroup')) return 'Ungroup';
	const [first] = deeds;
	if (first !== undefined && deeds.every(({ verb, entity }) => entity && verb === first.verb))
		return `${first.verb} ${deeds.length} entities`;
	if (first?.of === null && deeds.every(({ verb }) => verb === first.verb)) return first.verb;
	if (first?.verb === ZONE) return ZONE;
	// The first call is the deed, and the others belong to it.
	return first === undefined
		? 'An empty batch'
		: first.of === null
			? first.verb
			: `${first.verb} ${first.of}`;
}

/** Returns the title of the world that a batch opens, which begins with an empty world; null for other batches. */
function openedTitle(requests: readonly (Body & { readonly path: string })[]): string | null {
	if (!requests.some(({ path }) => path === '/reset')) return null;
	const named = requests.find(({ path }) => path === '/scenario' || path === '/rename')?.body;
	return (isBody(named) && typeof named.name === 'string' && titleIn(named.name)) || 'an empty world';
}
