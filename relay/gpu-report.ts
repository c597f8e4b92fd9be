/** Sentence about the graphics card at the start of a server with `--gpu`. */

import type { CallHandler } from '../shared/contract/wire.ts';
import { createClient } from '../shared/transport/client.ts';

/** Returns a sentence that names the graphics card that draws the pictures, or the reason that none does. */
export async function gpuReport(call: CallHandler): Promise<string> {
	const client = createClient(call, { 'user-agent': 'orrery relay' });
	const { body } = await client.send({ method: 'GET', path: '/engine/gpu' });
	const gpu = JSON.parse(Buffer.from(body).toString());
	if (!gpu.ok) return `There will be no pictures: ${gpu.error} Without --gpu the processor draws.`;
	if (gpu.quality.software) return 'The browser found no graphics card, so the processor draws.';
	return `Pictures are drawn by ${gpu.device_name} through ${gpu.backend}.`;
}
