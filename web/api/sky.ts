/** Handlers of the tag Camera and render that are about the sky and the fog. */

import {
	CLOUD_FIELDS,
	type FogSettings,
	fogFields,
	HOUR_FIELDS,
	type SkySettings,
	sunAt,
} from '../../shared/documents/sky.ts';
import * as routes from '../../shared/routes/sky.ts';
import { changeFog, changeSky, fogOf, skyOf } from '../sim/looks/sky.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { idle, warned } from './warnings-field.ts';

const NULLABLE = ['time_of_day', 'zenith_color', 'horizon_color', 'ground_color'] as const;

/** Returns the fields to change. A null resets a nullable field, and leaves any other field unchanged. */
const changedFields = (
	sent: {
		[K in keyof SkySettings]?: SkySettings[K] | null | undefined;
	},
): Partial<SkySettings> => ({
	...givenFields(sent),
	...Object.fromEntries(NULLABLE.filter((name) => sent[name] === null).map((name) => [name, null])),
});

/** Returns warnings about sent fields that change nothing in the picture with the other settings. */
function skyWarnings(sent: object, { time_of_day, clouds, wind_speed }: SkySettings): string[] {
	const sentNames = Object.keys(givenFields(sent));
	if (time_of_day === null) return idle(sentNames, HOUR_FIELDS, 'time_of_day is null');
	if (clouds === 0) return idle(sentNames, CLOUD_FIELDS, 'clouds is 0');
	return wind_speed === 0 ? idle(sentNames, ['wind_direction'], 'wind_speed is 0') : [];
}

const FOG_FIELDS = Object.keys(fogFields).filter((name) => name !== 'enabled');

const fogWarnings = (sent: object, { enabled }: FogSettings): string[] =>
	enabled ? [] : idle(Object.keys(givenFields(sent)), FOG_FIELDS, 'enabled is false');

const colorArray = (color: readonly [number, number, number] | null): [number, number, number] | null =>
	color && [color[0], color[1], color[2]];

const skyView = (settings: SkySettings) => ({
	...settings,
	zenith_color: colorArray(settings.zenith_color),
	horizon_color: colorArray(settings.horizon_color),
	ground_color: colorArray(settings.ground_color),
	sun_direction: settings.time_of_day === null ? null : colorArray(sunAt(settings.time_of_day)),
});

const fogView = (settings: FogSettings) => ({ ...settings, color: colorArray(settings.color)! });

export const handlers = [
	handler(routes.getSky, ({ world }) => skyView(skyOf(world))),
	handler(routes.setSky, ({ world }, { body }) => {
		const after = changeSky(world, changedFields(body));
		return { ...skyView(after), ...warned(skyWarnings(body, after)) };
	}),
	handler(routes.getFog, ({ world }) => fogView(fogOf(world))),
	handler(routes.setFog, ({ world }, { body }) => {
		const after = changeFog(world, givenFields(body));
		return { ...fogView(after), ...warned(fogWarnings(body, after)) };
	}),
];
