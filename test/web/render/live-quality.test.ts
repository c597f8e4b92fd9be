/** Effects that the live picture leaves out. */

import { expect, test } from 'vitest';
import { DEFAULT_POSTPROCESS, PRESETS } from '../../../shared/documents/postprocess.ts';
import { LiveQuality } from '../../../web/render/live-quality.ts';

const ultra = { ...DEFAULT_POSTPROCESS, ...PRESETS.ultra, depth_of_field_enabled: true };
const draw = (quality: LiveQuality, times: readonly number[]) =>
	times.filter((ms) => quality.addPicture(ms)).length;
const repeated = (ms: number, count: number) => Array.from({ length: count }, () => ms);

test('a device that is fast enough draws everything, and single slow pictures change nothing', () => {
	const quality = new LiveQuality(false);
	for (let i = 0; i < 20; i++) expect(draw(quality, [400, ...repeated(8, 30)])).toBe(0);
	expect(quality.limit(ultra)).toBe(ultra);
});

test('a slow device loses the costliest effects first, down to the lowest preset, until the settings change', () => {
	const quality = new LiveQuality(false);
	const levels = [];
	while (levels.at(-1) !== 'low') {
		draw(quality, repeated(80, 24));
		levels.push(quality.level);
	}
	expect(levels).toEqual(['high', 'medium', 'low']);
	expect(draw(quality, repeated(80, 200))).toBe(0);
	expect(quality.limit(ultra)).toEqual({
		...ultra,
		ssao_enabled: false,
		light_shafts_enabled: false,
		bounce_enabled: false,
		depth_of_field_enabled: false,
		shadow_cascades: 1,
	});
	quality.restart();
	expect(quality.limit(ultra)).toBe(ultra);
});

test('software rendering begins at medium, and disabled effects stay off', () => {
	const quality = new LiveQuality(true);
	expect(quality.level).toBe('medium');
	expect(quality.limit(ultra)).toMatchObject({
		ssao_enabled: true,
		bounce_enabled: false,
		shadow_cascades: 1,
	});
	const off = { ...DEFAULT_POSTPROCESS, enabled: false };
	expect(quality.limit(off)).toBe(off);
});
