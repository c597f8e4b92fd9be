/** Handlers of the tag Camera and render that are about the sky and the fog. */

import { type FogSettings, type SkySettings, sunAt } from '../../shared/documents/sky.ts';
import * as routes from '../../shared/routes/sky.ts';
import { changeFog, changeSky, fog, sky } from '../sim/looks/sky.ts';
import { handler } from './handler.ts';

/** Fields of which null is no value. */
const given = <T extends object>(sent: T) =>
	Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};

/** Fields that were sent, those that are null taken for what they have in a new world. */
const said = (
	sent: { [K in keyof SkySettings]?: SkySettings[K] | null | undefined },
): Partial<SkySettings> => {
	const { turbidity, sun_intensity, ambient_intensity, plate, ...nullable } = sent;
	const stated = Object.entries(nullable).filter(([, value]) => value !== undefined);
	return { ...given({ turbidity, sun_intensity, ambient_intensity, plate }), ...Object.fromEntries(stated) };
};

const list = (color: readonly [number, number, number] | null): [number, number, number] | null =>
	color && [color[0], color[1], color[2]];

const shownSky = (settings: SkySettings) => ({
	...settings,
	zenith_color: list(settings.zenith_color),
	horizon_color: list(settings.horizon_color),
	ground_color: list(settings.ground_color),
	sun_direction: settings.time_of_day === null ? null : list(sunAt(settings.time_of_day)),
});

const shownFog = (settings: FogSettings) => ({ ...settings, color: list(settings.color)! });

export const handlers = [
	handler(routes.getSky, ({ world }) => shownSky(sky(world))),
	handler(routes.setSky, ({ world }, { body }) => shownSky(changeSky(world, said(body)))),
	handler(routes.getFog, ({ world }) => shownFog(fog(world))),
	handler(routes.setFog, ({ world }, { body }) => shownFog(changeFog(world, given(body)))),
];
