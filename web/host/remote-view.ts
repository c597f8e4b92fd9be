/**
 * Pictures of a world whose engine has no browser. The browser of main's engine draws its frames.
 * Owns: the requests with frames, and the answers of the side that draws.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import { EMPTY_BODY, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import { readDrawOrder } from '../../shared/transport/draw.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import type { EncodedPicture } from '../api/context.ts';
import { loadModels } from '../frames/drawn/models.ts';
import { blocksOf } from '../frames/frame.ts';
import { decodeFrame, encodeFrame } from '../frames/frame-bytes.ts';
import type { CaptureRequest, FrameBlocks } from '../frames/frames.ts';
import { fromBase64, toBase64 } from '../sim/core/base64.ts';
import { digest } from '../sim/core/digest.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { DrawingView, ViewedEngine, ViewLink } from './view-link.ts';

/** The view of an engine without a browser. */
export class RemoteView implements DrawingView {
	readonly gpu = null;
	readonly #world: string;
	readonly #assets: ViewedEngine['assets'];
	readonly #relayServices: RelayServices;

	/** `world`: name of the engine's world. */
	constructor(world: string, { assets }: Pick<ViewedEngine, 'assets'>, relayServices: RelayServices) {
		this.#world = world;
		this.#assets = assets;
		this.#relayServices = relayServices;
	}

	async require(): Promise<void> {
		await this.#relayServices.ask('drawing', {});
	}

	async capture(
		{ id, world, line, playing, speed }: WorldEntry,
		request: CaptureRequest,
	): Promise<EncodedPicture> {
		await loadModels(world, this.#assets);
		const { tick } = world;
		const stateDigest = digest(world);
		const blocks = blocksOf(world);
		const frame = encodeFrame({
			world: id,
			line: line.number,
			tick,
			playing,
			speed,
			versions: {} as never,
			blocks,
			events: [],
		});
		const { bytes, type } = await this.#relayServices.ask('draw', {
			world: this.#world,
			picture: JSON.stringify(request),
			frame: toBase64(frame),
		});
		return { bytes: fromBase64(bytes), type, tick, digest: stateDigest };
	}
}

/** Answers a call to draw the frame of another engine. Never rejects. */
export async function answerDraw(
	view: ViewLink | null,
	relayServices: RelayServices,
	request: WireRequest,
): Promise<WireResponse> {
	try {
		if (view === null) throw new ApiError('no_picture', 'This host does not draw.');
		if (request.body.length === 0) return { status: 204, headers: {}, body: EMPTY_BODY };
		const { world, picture } = readDrawOrder(request);
		const { frame } = decodeFrame(request.body);
		const { bytes, type = 'image/png' } = await view.draw(
			frame.blocks as FrameBlocks,
			JSON.parse(picture) as CaptureRequest,
			async (hash) => {
				const asset = await relayServices.ask('asset', { world, hash });
				return asset.bytes === null ? null : fromBase64(asset.bytes);
			},
		);
		return { status: 200, headers: { 'content-type': type }, body: bytes };
	} catch (error) {
		const why = reasonOf(error);
		return errorResponse(error instanceof ApiError ? error : new ApiError('picture_failed', why));
	}
}
