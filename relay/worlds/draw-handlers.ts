/**
 * Requests for pictures of named worlds. The browser of main's engine draws their frames.
 * Owns: sending a frame to that engine, and the assets that the frame names.
 */

import { ApiError, type ErrorBody } from '../../shared/contract/errors.ts';
import { EMPTY_BODY, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import { ANY_BYTES } from '../../shared/documents/media-type.ts';
import { drawRequest } from '../../shared/transport/draw.ts';
import type { RequestHandlers } from '../engine-requests.ts';
import type { WorldCalls } from '../world-calls.ts';
import type { WorldDirectory } from './world-directory.ts';

export function drawHandlers(worlds: WorldDirectory, main: WorldCalls): RequestHandlers {
	return {
		drawing: async () => {
			await callMain(main, drawRequest());
			return {};
		},
		draw: async ({ frame, ...order }) => {
			const { headers, body } = await callMain(main, drawRequest(order, Buffer.from(frame, 'base64')));
			return { bytes: toBase64(body), type: headers['content-type'] ?? 'image/png' };
		},
		asset: async ({ world, hash }) => {
			const request: WireRequest = {
				method: 'GET',
				path: `/asset/${encodeURIComponent(hash)}`,
				query: '',
				headers: { accept: ANY_BYTES },
				body: EMPTY_BODY,
			};
			const answer = await (await worlds.find(world))?.call(request, { caller: 'own' });
			return { bytes: answer?.status === 200 ? toBase64(answer.body) : null };
		},
	};
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Returns the answer of main's engine. Rejects with its refusal. */
async function callMain(main: WorldCalls, request: WireRequest): Promise<WireResponse> {
	if (!main.hasEngine) throw new ApiError('no_picture', 'No browser that can draw is connected.');
	const answer = await new Promise<WireResponse>((resolve) => void main.submit(request, resolve, 'own'));
	if (answer.status < 400) return answer;
	const { code, error, fix } = JSON.parse(Buffer.from(answer.body).toString()) as ErrorBody;
	throw new ApiError(code, error, { fix });
}
