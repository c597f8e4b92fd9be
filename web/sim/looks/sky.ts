/**
 * The sky and the fog. View scope: saved and forked, never digested.
 * Owns: their settings.
 */

import {
	type FogSettings,
	fogSettings,
	type SkySettings,
	skySettings,
	USUAL_FOG,
	USUAL_SKY,
} from '../../../shared/documents/sky.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Sky: Resource<SkySettings> = {
	name: 'sky',
	scope: 'view',
	summary: 'Time of day and colours of the sky',
	schema: skySettings,
	initial: () => USUAL_SKY,
};

/** None until something is said of it. */
export const Fog: Resource<FogSettings> = {
	name: 'fog',
	scope: 'view',
	summary: 'Volumetric fog',
	schema: fogSettings,
	initial: () => undefined,
};

const NO_FOG: FogSettings = { ...USUAL_FOG, enabled: false };

export function sky(world: World): SkySettings {
	return resource(world, Sky) ?? USUAL_SKY;
}

export function fog(world: World): FogSettings {
	return resource(world, Fog) ?? NO_FOG;
}

/** Changes what is given; undefined changes nothing. */
export function changeSky(world: World, change: Partial<SkySettings>): SkySettings {
	const after = { ...sky(world), ...change };
	setResource(world, Sky, after);
	return after;
}

/** Changes what is given; fog of which nothing was said before is switched on by anything. */
export function changeFog(world: World, change: Partial<FogSettings>): FogSettings {
	const after = { ...(resource(world, Fog) ?? USUAL_FOG), ...change };
	setResource(world, Fog, after);
	return after;
}
