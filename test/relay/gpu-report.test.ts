/** The sentence about the graphics card at the start of a server. */

import { expect, test } from 'vitest';
import { gpuReport } from '../../relay/gpu-report.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';

const answering =
	(answer: object): CallHandler =>
	async ({ path }) => {
		expect(path).toBe('/engine/gpu');
		return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(answer)) };
	};

test.each([
	[
		{ ok: true, backend: 'webgpu', device_name: 'nvidia', quality: { software: false } },
		'Pictures are drawn by nvidia through webgpu.',
	],
	[
		{ ok: true, backend: 'webgpu', device_name: 'google swiftshader', quality: { software: true } },
		'The browser found no graphics card, so the processor draws.',
	],
	[
		{ ok: false, error: 'This host does not draw.' },
		'There will be no pictures: This host does not draw. Without --gpu the processor draws.',
	],
])('names the graphics card, or the reason that none draws (%#)', async (answer, sentence) => {
	expect(await gpuReport(answering(answer))).toBe(sentence);
});
