/** Bytes that a test answers in place of the view: an album if the request asks for one. */

import type { Album, CaptureRequest } from '../../web/frames/frames.ts';

export function takenBytes(
	plain: Uint8Array,
	{ cameras, report, type = 'image/png' }: CaptureRequest,
): Uint8Array {
	if (cameras === undefined && report !== true) return plain;
	const found = { entities: [], hidden: [], entity_count: 0, hidden_count: 0 };
	const picture = { type, data: 'AQID', size_bytes: 3, ...(report ? { report: found } : {}) };
	const album: Album = Array.from({ length: cameras?.length ?? 1 }, () => picture);
	return new TextEncoder().encode(JSON.stringify(album));
}
