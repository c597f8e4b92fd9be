/**
 * Volumes of the buses. View scope: saved and forked, never digested.
 * Owns: their settings.
 */

import {
	DEFAULT_MIXER,
	type MixerBus,
	type MixerSettings,
	mixerSettings,
} from '../../../shared/media/sound.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Mixer: Resource<MixerSettings> = {
	name: 'mixer',
	scope: 'view',
	summary: 'Volumes of the sound buses',
	schema: mixerSettings,
	initial: () => undefined,
};

export function mixer(world: World): MixerSettings {
	return resource(world, Mixer) ?? DEFAULT_MIXER;
}

export interface BusChange {
	readonly bus: MixerBus;
	/** 0 to 1. */
	readonly volume?: number | null | undefined;
	readonly muted?: boolean | null | undefined;
}

/** Changes a bus; fields left out keep their values. */
export function changeBus(world: World, { bus, volume, muted }: BusChange): void {
	const previous = mixer(world);
	const others = previous.muted.filter((name) => name !== bus);
	setResource(world, Mixer, {
		volumes: { ...previous.volumes, [bus]: volume ?? previous.volumes[bus] },
		muted: (muted ?? previous.muted.includes(bus)) ? [...others, bus].sort() : others,
	});
}
