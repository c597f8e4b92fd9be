/** Post-processing in pictures. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

/** Creates a floor, two blocks with a narrow gap, a glowing ball, and a hero with a health bar. */
beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 3, 9], target: [0, 1.5, 0] });
	for (const body of [
		{ color: 'white', position: [0, -0.25, 0], scale: [30, 0.5, 30] },
		{ color: 'gray', position: [-1.15, 1, 0], scale: [2, 2, 2] },
		{ color: 'gray', position: [1.15, 1, 0], scale: [2, 2, 2] },
		{ mesh: 'sphere', color: 'black', position: [3, 3.2, -1], material: { emissive: [3, 1.2, 0.3] } },
		{ color: 'blue', position: [-3.5, 0.5, 2], health: 100, role: 'hero', team: 1 },
	])
		await lab.must('POST', '/spawn', { mesh: 'cube', ...body });
});

const set = (body: object) => lab.must('POST', '/postprocess/settings', body);
const bright = ([red, green, blue]: Rgb) => red + green + blue;
const whole = [0, 0, 1, 1] as const;
/** All effects are off, so only the colours are converted to linear light and back. */
const neutral = { ssao_enabled: false, bloom_enabled: false, fxaa_enabled: false };

/** Returns the differences of all pixels, sorted. */
function distances(a: Picture, b: Picture): number[] {
	const differences: number[] = [];
	for (let y = 0; y < a.height; y++)
		for (let x = 0; x < a.width; x++) {
			const [p, q] = [a.at(x, y), b.at(x, y)];
			differences.push(Math.max(...p.map((part, i) => Math.abs(part - q[i]!))));
		}
	return differences.sort((x, y) => x - y);
}
const quantile = (sorted: readonly number[], share: number) =>
	sorted[Math.floor((sorted.length - 1) * share)]!;

test.each([null, 17.5])(
	'the colour conversion and its inverse change nothing at hour %s, and effects that are off change no byte',
	async (hour) => {
		await lab.must('POST', '/sky/settings', { time_of_day: hour });
		const plain = await lab.picture(`post-plain-${hour}`, 320, 180);
		await set(neutral);
		const converted = distances(await lab.picture(`post-neutral-${hour}`, 320, 180), plain);
		expect(quantile(converted, 0.5)).toBeLessThanOrEqual(1);
		// Edges are averaged in linear light, so some pixels differ more.
		expect(quantile(converted, 0.97)).toBeLessThanOrEqual(6);
		await set({ enabled: null });
		expect((await lab.picture(`post-off-${hour}`, 320, 180)).bytes).toEqual(plain.bytes);
	},
	180_000,
);

test('each of the ten fields has its effect, and a repeated picture is equal', async () => {
	await set(neutral);
	const plain = await lab.picture('post-base', 320, 180);
	const [red, , blue] = plain.mean(...whole);
	const capture = async (name: string, body: object) => {
		await set({ ...neutral, exposure: 0, contrast: 1, saturation: 1, temperature: 0, ...body });
		return lab.picture(`post-${name}`, 320, 180);
	};
	expect(bright((await capture('exposed', { exposure: 1 })).mean(...whole))).toBeGreaterThan(
		1.15 * bright(plain.mean(...whole)),
	);
	const warm = (await capture('warm', { temperature: 1 })).mean(...whole);
	expect(warm[0] / warm[2]).toBeGreaterThan((1.1 * red) / blue);
	const grey = await capture('grey', { saturation: 0 });
	for (const [x, y] of [
		[20, 100],
		[160, 170],
		[300, 20],
	] as const) {
		const pixel = grey.at(x, y);
		expect(Math.max(...pixel) - Math.min(...pixel)).toBeLessThanOrEqual(1);
	}
	const flat = distances(
		await capture('flat', { contrast: 0 }),
		await capture('flat-again', { contrast: 0 }),
	);
	expect(quantile(flat, 1)).toBe(0);
	const [low, , high] = (await capture('contrast', { contrast: 0.2 })).mean(...whole);
	expect(Math.abs(low - 127) + Math.abs(high - 127)).toBeLessThan(Math.abs(red - 127) + Math.abs(blue - 127));

	// Occlusion darkens the floor at the foot of the block, but not the open floor in front.
	const foot = [0.34, 0.68, 0.47, 0.72] as const;
	const open = [0.4, 0.9, 0.6, 0.98] as const;
	const weak = await capture('occlusion-weak', { ssao_enabled: true, ssao_intensity: 0.3, ssao_radius: 1 });
	const strong = await capture('occlusion', { ssao_enabled: true, ssao_intensity: 3, ssao_radius: 1 });
	const near = await capture('occlusion-near', { ssao_enabled: true, ssao_intensity: 3, ssao_radius: 0.05 });
	expect(bright(strong.mean(...foot))).toBeLessThan(0.93 * bright(weak.mean(...foot)));
	expect(bright(strong.mean(...foot))).toBeLessThan(0.95 * bright(near.mean(...foot)));
	expect(bright(strong.mean(...open))).toBeGreaterThan(0.9 * bright(weak.mean(...open)));

	// Bloom brightens the dark backdrop beside the ball.
	const beside = [0.83, 0.15, 0.86, 0.3] as const;
	const glowing = await capture('bloom', { bloom_enabled: true });
	expect(bright(glowing.mean(...beside))).toBeGreaterThan(bright(plain.mean(...beside)) + 8);
	const calm = await capture('bloom-none', { bloom_enabled: true, bloom_threshold: 900 });
	expect(quantile(distances(calm, plain), 0.99)).toBeLessThanOrEqual(1);

	// FXAA changes only edges.
	const smooth = distances(await capture('fxaa', { fxaa_enabled: true }), plain);
	expect(quantile(smooth, 0.8)).toBeLessThanOrEqual(3);
	expect(quantile(smooth, 1)).toBeGreaterThan(8);
	expect((await capture('base-again', {})).bytes).toEqual(plain.bytes);
});

test('post-processing does not change health bars, and applies to an orthographic camera', async () => {
	await set({ exposure: -16 });
	const night = await lab.picture('post-night', 320, 180);
	const lit = [];
	for (let y = 0; y < 180; y++) for (let x = 0; x < 320; x++) if (night.at(x, y)[2] > 100) lit.push([x, y]);
	expect(lit.length).toBeGreaterThan(10);
	await lab.must('POST', '/postprocess/preset', { quality: 'ultra' });
	await lab.must('POST', '/camera', { eye: [8, 6, 8], target: [0, 1, 0], orthographic: true, ortho_size: 5 });
	await set({ ssao_intensity: 3, ssao_radius: 1 });
	const ortho = await lab.picture('post-ortho', 320, 180);
	await set({ ssao_enabled: false, contrast: 1.05 });
	const without = await lab.picture('post-ortho-without', 320, 180);
	expect(bright(ortho.mean(...whole))).toBeLessThan(bright(without.mean(...whole)) - 1);
	expect(await lab.must('GET', '/engine/gpu')).toMatchObject({
		quality: { software: true, occlusion_samples: 8, occlusion_scale: 0.5, bloom_scale: 0.25 },
	});
});

test('bounced light colours the floor beside a lit wall, and nothing else', async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/sky/settings', { time_of_day: 16.5, plate: false, clouds: 0 });
	for (const body of [
		{ color: 'white', position: [0, -0.25, 0], scale: [20, 0.5, 20] },
		{ color: 'red', position: [1.2, 1.25, 0], scale: [0.3, 2.5, 6] },
	])
		await lab.must('POST', '/spawn', { mesh: 'cube', ...body });
	await lab.must('POST', '/camera', { eye: [-3.4, 2.2, 4.5], target: [0.4, 0.7, 0] });
	const redness = async (bounce_enabled: boolean) => {
		await set({ ...neutral, bounce_enabled });
		const picture = await lab.picture(`post-bounce-${bounce_enabled}`);
		return [picture.mean(0.76, 0.8, 0.86, 0.86), picture.mean(0.05, 0.9, 0.3, 1)].map(
			([red, , blue]) => red / blue,
		) as [beside: number, away: number];
	};
	const [without, plain] = await redness(false);
	const [beside, away] = await redness(true);
	expect(beside).toBeGreaterThan(1.03 * without);
	expect(away / plain).toBeCloseTo(1, 2);
});

test('extreme settings give a picture of one colour', async () => {
	for (const [name, body] of [
		['grey', { contrast: 0 }],
		['night', { contrast: 1, exposure: -16 }],
		['glare', { exposure: 16 }],
	] as const) {
		await set({ ...neutral, ...body });
		const picture = await lab.picture(`post-one-${name}`, 64, 36, '&hud=false');
		const first = picture.at(0, 0);
		expect(picture.at(40, 20), name).toEqual(first);
		expect(bright(first) / 3, name).toSatisfy((light: number) =>
			name === 'grey' ? light > 60 && light < 200 : name === 'night' ? light < 10 : light > 245,
		);
	}
});
