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
import { idleWarnings, warningsField } from './warnings-field.ts';

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
function skyWarnings(body: object, { time_of_day, clouds, wind_speed }: SkySettings): string[] {
	const sentNames = Object.keys(givenFields(body));
	if (time_of_day === null) return idleWarnings(sentNames, HOUR_FIELDS, 'time_of_day is null');
	if (clouds === 0) return idleWarnings(sentNames, CLOUD_FIELDS, 'clouds is 0');
	return wind_speed === 0 ? idleWarnings(sentNames, ['wind_direction'], 'wind_speed is 0') : [];
}

const FOG_FIELDS = Object.keys(fogFields).filter((name) => name !== 'enabled');

const fogWarnings = (body: object, { enabled }: FogSettings): string[] =>
	enabled ? [] : idleWarnings(Object.keys(givenFields(body)), FOG_FIELDS, 'enabled is false');

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
		const settings = changeSky(world, changedFields(body));
		return { ...skyView(settings), ...warningsField(skyWarnings(body, settings)) };
	}),
	handler(routes.getFog, ({ world }) => fogView(fogOf(world))),
	handler(routes.setFog, ({ world }, { body }) => {
		const settings = changeFog(world, givenFields(body));
		return { ...fogView(settings), ...warningsField(fogWarnings(body, settings)) };
	}),
];
