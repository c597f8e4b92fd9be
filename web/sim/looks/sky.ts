/**
 * The sky and the fog. View scope: saved and forked, never digested.
 * Owns: their settings.
 */

import {
	DEFAULT_FOG,
	type FogSettings,
	FRESH_SKY,
	fillSky,
	fogSettings,
	type SkySettings,
	type StoredSky,
	storedSky,
} from '../../../shared/documents/sky.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Sky: Resource<StoredSky> = {
	name: 'sky',
	scope: 'view',
	summary: 'Time of day, colours, clouds and stars of the sky',
	schema: storedSky,
	initial: () => FRESH_SKY,
};

/** Settings of the fog; undefined until one is sent. */
export const Fog: Resource<FogSettings> = {
	name: 'fog',
	scope: 'view',
	summary: 'Volumetric fog',
	schema: fogSettings,
	initial: () => undefined,
};

const NO_FOG: FogSettings = { ...DEFAULT_FOG, enabled: false };

/** Filled settings by stored ones, so that equal settings stay the same object. */
const filledByStored = new WeakMap<StoredSky, SkySettings>();

export function skyOf(world: World): SkySettings {
	const stored = resource(world, Sky) ?? FRESH_SKY;
	let settings = filledByStored.get(stored);
	if (settings === undefined) {
		settings = fillSky(stored);
		filledByStored.set(stored, settings);
	}
	return settings;
}

export function fogOf(world: World): FogSettings {
	return resource(world, Fog) ?? NO_FOG;
}

/** Changes settings of the sky. */
export function changeSky(world: World, change: Partial<SkySettings>): SkySettings {
	setResource(world, Sky, { ...(resource(world, Sky) ?? FRESH_SKY), ...change });
	return skyOf(world);
}

/** Changes settings of the fog. Until one has been sent, any setting enables the fog. */
export function changeFog(world: World, change: Partial<FogSettings>): FogSettings {
	const settings = { ...(resource(world, Fog) ?? DEFAULT_FOG), ...change };
	setResource(world, Fog, settings);
	return settings;
}
