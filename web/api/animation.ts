/** Handlers of the tag Animation. */

import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/animation.ts';
import {
	playClip,
	setMachine,
	setParameter,
	startMontage,
	stopAnimation,
} from '../sim/animation/animation.ts';
import { addClips, clipsOf, requireClip } from '../sim/animation/library.ts';
import { toTicks } from '../sim/core/clock.ts';
import { modelOf } from '../sim/models/model.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';

export const handlers = [
	handler(routes.loadAnimations, async ({ host, world }, { body }) => {
		const { hash, bytes } = await host.assets.load(body.path);
		const model = modelOf(bytes, `"${body.path}"`);
		return {
			meshes: model.meshes,
			skeleton: model.skinned,
			animations: model.clips.map(({ name }) => name),
			clips: addClips(world, body.path, hash, model),
			joints: [...model.joints],
			hash,
		};
	}),

	handler(routes.listAnimations, ({ world }) => {
		const all = clipsOf(world);
		return {
			clips: all.map(({ name, duration, channels, model, joints }, index) => ({
				index,
				name,
				duration,
				channels,
				model,
				joints,
			})),
			count: all.length,
		};
	}),

	handler(routes.playAnimation, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const { clip, speed, loop, fade } = body;
		playClip(world, id, { clip, speed, looping: loop, fade: toTicks(fade) });
		return { message: `Entity ${id} plays the clip ${JSON.stringify(clip)}.` };
	}),

	handler(routes.stopAnimation, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		if (!stopAnimation(world, id)) throw new ApiError('not_playing', `Entity ${id} plays no clip.`);
		return { message: `Entity ${id} holds its pose.` };
	}),

	handler(routes.setStateMachine, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const { states, transitions, parameters, initial_state } = body;
		setMachine(world, id, { states, transitions, parameters }, initial_state);
		return { message: `Entity ${id} is in the state "${states[initial_state]!.name}".` };
	}),

	handler(routes.setAnimationParameter, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		setParameter(world, id, body.name, body.value);
		return { message: `The parameter "${body.name}" of entity ${id} is ${body.value}.` };
	}),

	handler(routes.playMontage, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const { clip, clip_duration, speed, blend_in, blend_out, bone_mask } = body;
		const { duration } = requireClip(world, id, clip, 'clip');
		startMontage(world, id, {
			clip,
			speed,
			duration: Math.max(1, toTicks(clip_duration ?? (speed > 0 ? Math.min(600, duration / speed) : 600))),
			blend_in: toTicks(blend_in),
			blend_out: toTicks(blend_out),
			mask: bone_mask ?? null,
		});
		return { message: `Entity ${id} plays the clip ${JSON.stringify(clip)} over its animation.` };
	}),
];
