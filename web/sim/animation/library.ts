/**
 * Animation clips of a world. State scope: state machines depend on the durations of clips.
 * Owns: the list, which only grows, so that each clip keeps its index; and the search for a clip by index or name.
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
	/** Path or name of its model. */
	model: z.string().max(400),
	/** SHA-256 of the bytes of the model. */
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
	limits: [{ noun: 'clips', max: MAX_CLIPS }],
	entriesOf: (clips = []) => keyedBy(clips, ({ model, hash, place }) => `${model} ${hash} ${place}`),
	isEmpty: (clips) => clips.length === 0,
	initial: () => undefined,
};

const NONE: readonly LibraryClip[] = [];

export const clipsOf = (world: World): readonly LibraryClip[] => resource(world, AnimationLibrary) ?? NONE;

/** Adds the clips of a model that are missing. Returns the index of each clip. Throws `world_full`. */
export function addClips(
	world: World,
	model: string,
	hash: string,
	{ clips: modelClips, joints }: LoadedModel,
): number[] {
	const present = clipsOf(world);
	const list = [...present];
	const indices = modelClips.map(({ name, duration, channels }, place) => {
		const index = present.findIndex(
			(candidate) => candidate.hash === hash && candidate.model === model && candidate.place === place,
		);
		if (index >= 0) return index;
		return list.push({ name, duration, channels, model, hash, place, joints: joints.length }) - 1;
	});
	if (list.length > MAX_CLIPS)
		throw new ApiError('world_full', `A world has at most ${MAX_CLIPS} clips.`, {
			fix: 'Load fewer models with clips.',
		});
	if (list.length > present.length) setResource(world, AnimationLibrary, list);
	return indices;
}

/** Clips of one name: the first of all, and the first of each model by its path and by its hash. */
interface ClipsOfName {
	readonly first: LibraryClip;
	readonly byModel: Map<string, LibraryClip>;
}

/** Clips by name, for each list. Lists are never changed in place. State machines search for clips on every tick. */
const clipsByList = new WeakMap<readonly LibraryClip[], ReadonlyMap<string, ClipsOfName>>();

function clipsOfName(clips: readonly LibraryClip[], name: string): ClipsOfName | undefined {
	let byName = clipsByList.get(clips);
	if (byName === undefined) {
		const clipsByName = new Map<string, ClipsOfName>();
		for (const item of clips) {
			const { byModel } = clipsByName.get(item.name) ?? { byModel: new Map<string, LibraryClip>() };
			if (!clipsByName.has(item.name)) clipsByName.set(item.name, { first: item, byModel });
			for (const model of [item.model, item.hash]) if (!byModel.has(model)) byModel.set(model, item);
		}
		clipsByList.set(clips, clipsByName);
		byName = clipsByName;
	}
	return byName.get(name);
}

/**
 * Returns the clip that an entity refers to, or undefined. If several clips have the name, the clip of its own model is
 * preferred, then the first.
 */
export function findClip(world: World, slot: number, ref: ClipRef): LibraryClip | undefined {
	const clips = clipsOf(world);
	if (typeof ref === 'number') return clips[ref];
	const candidates = clipsOfName(clips, ref);
	if (candidates === undefined || candidates.byModel.size <= 1) return candidates?.first;
	const mesh = get(world, slot, Mesh)?.mesh;
	return (mesh === undefined ? undefined : candidates.byModel.get(mesh)) ?? candidates.first;
}

/** Returns the clip that an entity refers to. Throws `unknown_clip`. `path`: path of the reference in the body. */
export function requireClip(world: World, slot: number, ref: ClipRef, path: string): LibraryClip {
	const libraryClip = findClip(world, slot, ref);
	if (libraryClip !== undefined) return libraryClip;
	const clips = clipsOf(world);
	const fix =
		clips.length === 0
			? 'Load the clips of a model first: POST /animation/load {"path": "models/fox.glb"}.'
			: typeof ref === 'number'
				? `Send a number from 0 to ${clips.length - 1}; GET /animation/list shows the clips.`
				: suggestion(
						ref,
						clips.map(({ name }) => name),
					);
	throw new ApiError('unknown_clip', `There is no clip ${JSON.stringify(ref)}.`, {
		path,
		...(fix === undefined ? {} : { fix }),
	});
}
