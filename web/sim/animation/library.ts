/**
 * The clips that a world knows. State scope: how long a clip lasts decides when a state machine moves on.
 * Owns: the list, which only grows, so that the index of a clip stays; and finding a clip by index or name.
 */

import * as z from 'zod';
import { Mesh } from '../../../shared/components/mesh.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type ClipRef, MAX_CLIPS } from '../../../shared/media/animation.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { get, type World } from '../core/world.ts';
import { MAX_IN_MODEL } from '../models/gltf-document.ts';
import type { LoadedModel } from '../models/model.ts';

const clip = z.strictObject({
	name: z.string().max(MAX_IN_MODEL.name),
	/** Seconds. */
	duration: z.number().min(0).max(MAX_IN_MODEL.seconds),
	channels: z.int().min(0).max(MAX_IN_MODEL.channels),
	/** Path or name that it was loaded from. */
	model: z.string().max(400),
	/** SHA-256 of its bytes. */
	hash: z.string().regex(/^[0-9a-f]{64}$/),
	/** Index of the clip in the model. */
	place: z
		.int()
		.min(0)
		.max(MAX_IN_MODEL.clips - 1),
	joints: z.int().min(0).max(MAX_IN_MODEL.nodes),
});

export type LibraryClip = Readonly<z.output<typeof clip>>;

export const AnimationLibrary: Resource<readonly LibraryClip[]> = {
	name: 'animation_library',
	scope: 'state',
	summary: 'Animation clips loaded with /animation/load',
	schema: z.array(clip).max(MAX_CLIPS),
	limits: [{ what: 'clips', max: MAX_CLIPS }],
	entriesOf: (clips = []) => keyedBy(clips, ({ model, hash, place }) => `${model} ${hash} ${place}`),
	isEmpty: (clips) => clips.length === 0,
	initial: () => undefined,
};

const NONE: readonly LibraryClip[] = [];

export const clips = (world: World): readonly LibraryClip[] => resource(world, AnimationLibrary) ?? NONE;

/** Adds the clips of a model, unless they are there; the index of each. Throws `world_full`. */
export function addClips(
	world: World,
	model: string,
	hash: string,
	{ clips: added, joints }: LoadedModel,
): number[] {
	const present = clips(world);
	const list = [...present];
	const places = added.map(({ name, duration, channels }, index) => {
		const at = present.findIndex(
			(candidate) => candidate.hash === hash && candidate.model === model && candidate.place === index,
		);
		if (at >= 0) return at;
		return list.push({ name, duration, channels, model, hash, place: index, joints: joints.length }) - 1;
	});
	if (list.length > MAX_CLIPS)
		throw new ApiError('world_full', `A world has at most ${MAX_CLIPS} clips.`, {
			fix: 'Load fewer models with clips.',
		});
	if (list.length > present.length) setResource(world, AnimationLibrary, list);
	return places;
}

/** The clips of one name: the first of all, and the first of each model by its path and its hash. */
interface Namesakes {
	readonly first: LibraryClip;
	readonly byModel: Map<string, LibraryClip>;
}

/** Lists are replaced, never changed. State machines look for clips on every tick. */
const byName = new WeakMap<readonly LibraryClip[], ReadonlyMap<string, Namesakes>>();

function namesakes(all: readonly LibraryClip[], name: string): Namesakes | undefined {
	let found = byName.get(all);
	if (found === undefined) {
		const clipsByName = new Map<string, Namesakes>();
		for (const item of all) {
			const { byModel } = clipsByName.get(item.name) ?? { byModel: new Map<string, LibraryClip>() };
			if (!clipsByName.has(item.name)) clipsByName.set(item.name, { first: item, byModel });
			for (const model of [item.model, item.hash]) if (!byModel.has(model)) byModel.set(model, item);
		}
		byName.set(all, clipsByName);
		found = clipsByName;
	}
	return found.get(name);
}

/**
 * Returns the clip that an entity means, or undefined. Of several with one name that of its own model counts, then
 * the first.
 */
export function findClip(world: World, slot: number, ref: ClipRef): LibraryClip | undefined {
	const all = clips(world);
	if (typeof ref === 'number') return all[ref];
	const named = namesakes(all, ref);
	if (named === undefined || named.byModel.size <= 1) return named?.first;
	const mesh = get(world, slot, Mesh)?.mesh;
	return (mesh === undefined ? undefined : named.byModel.get(mesh)) ?? named.first;
}

/** Throws `unknown_clip`. */
export function requireClip(world: World, slot: number, ref: ClipRef, path: string): LibraryClip {
	const found = findClip(world, slot, ref);
	if (found !== undefined) return found;
	const all = clips(world);
	const fix =
		all.length === 0
			? 'Load the clips of a model first: POST /animation/load {"path": "models/fox.glb"}.'
			: typeof ref === 'number'
				? `Send a number from 0 to ${all.length - 1}; GET /animation/list shows the clips.`
				: suggestion(
						ref,
						all.map(({ name }) => name),
					);
	throw new ApiError('unknown_clip', `There is no clip ${JSON.stringify(ref)}.`, {
		path,
		...(fix === undefined ? {} : { fix }),
	});
}
