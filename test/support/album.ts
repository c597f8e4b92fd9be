/** Fake captures for tests. */

import type { Album, CaptureRequest } from '../../web/frames/frames.ts';

/** Returns the bytes of a fake album if the request is for several pictures or a report, otherwise `plain`. */
export function fakeCapture(
	plain: Uint8Array,
	{ cameras, report, type = 'image/png' }: CaptureRequest,
): Uint8Array {
	if (cameras === undefined && report !== true) return plain;
	const emptyReport = { entities: [], hidden: [], entity_count: 0, hidden_count: 0 };
	const picture = { type, data: 'AQID', size_bytes: 3, ...(report ? { report: emptyReport } : {}) };
	const album: Album = Array.from({ length: cameras?.length ?? 1 }, () => picture);
	return new TextEncoder().encode(JSON.stringify(album));
}
