/**
 * Length of a sound file, from its bytes alone, so that it is the same in every browser.
 * Owns: reading the length from WAV (RIFF), Ogg (RFC 3533, with Vorbis or Opus) and MPEG audio layer III.
 */

import type { MediaType } from './media-type.ts';

const readAscii = (bytes: Uint8Array, offset: number, length: number): string =>
	String.fromCharCode(...bytes.subarray(offset, offset + length));

/** Returns the length of a sound in seconds; null for bytes that cannot be played. */
export function soundLength(bytes: Uint8Array, media: MediaType): number | null {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (media === 'audio/wav') return wavLength(bytes, view);
	if (media === 'audio/ogg') return oggLength(bytes, view);
	if (media === 'audio/mpeg') return mpegLength(bytes);
	return null;
}

/** Encodings of WAV that browsers play: integers, floating-point numbers, and the extensible format. */
const PLAYABLE_ENCODINGS = [1, 3, 0xfffe];

function wavLength(bytes: Uint8Array, view: DataView): number | null {
	let bytesPerSecond = 0;
	for (let offset = 12; offset + 8 <= bytes.length; ) {
		const name = readAscii(bytes, offset, 4);
		const size = view.getUint32(offset + 4, true);
		if (name === 'fmt ') {
			if (
				size < 16 ||
				offset + 24 > bytes.length ||
				!PLAYABLE_ENCODINGS.includes(view.getUint16(offset + 8, true))
			)
				return null;
			bytesPerSecond = view.getUint32(offset + 16, true);
		} else if (name === 'data') {
			const available = Math.min(size, bytes.length - offset - 8);
			return bytesPerSecond > 0 && available > 0 ? available / bytesPerSecond : null;
		}
		// Chunks begin at even positions.
		offset += 8 + size + (size & 1);
	}
	return null;
}

/** Samples per second by which Opus counts positions, for any rate of the recording. */
const OPUS_RATE = 48_000;

function oggLength(bytes: Uint8Array, view: DataView): number | null {
	const headStart = 27 + (bytes[26] ?? 0);
	let rate = 0;
	let skip = 0;
	if (readAscii(bytes, headStart, 8) === 'OpusHead' && headStart + 12 <= bytes.length) {
		rate = OPUS_RATE;
		skip = view.getUint16(headStart + 10, true);
	} else if (readAscii(bytes, headStart, 7) === '\x01vorbis' && headStart + 16 <= bytes.length)
		rate = view.getUint32(headStart + 12, true);
	if (rate === 0) return null;
	// The last page contains the number of samples up to its end.
	for (let offset = bytes.length - 27; offset > 0; offset--) {
		if (bytes[offset] !== 0x4f || readAscii(bytes, offset, 4) !== 'OggS') continue;
		const samples = Number(view.getBigInt64(offset + 6, true)) - skip;
		return samples > 0 ? samples / rate : null;
	}
	return null;
}

/** Kilobits per second of layer III by index, for MPEG 1 (ISO/IEC 11172-3). */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/** Kilobits per second of layer III by index, for MPEG 2 and 2.5 (ISO/IEC 13818-3). */
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Samples per second of MPEG 1 by index. MPEG 2 has half of them, and MPEG 2.5 a quarter. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Returns the sum of the lengths of all frames. */
function mpegLength(bytes: Uint8Array): number | null {
	let offset = 0;
	if (readAscii(bytes, 0, 3) === 'ID3' && bytes.length > 10)
		offset = 10 + (((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!) >>> 0);
	let seconds = 0;
	while (offset + 4 <= bytes.length) {
		const frame = mpegFrame(bytes, offset);
		if (frame === null) break;
		seconds += frame.seconds;
		offset += frame.size;
	}
	return seconds > 0 ? seconds : null;
}

/** Returns the length (s) and the size (bytes) of the frame at an offset; null if there is no frame of layer III. */
function mpegFrame(
	bytes: Uint8Array,
	offset: number,
): { readonly seconds: number; readonly size: number } | null {
	const [sync, kind, rates] = [bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!];
	if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return null;
	const version = (kind >> 3) & 3;
	const kilobits = (version === 3 ? RATES_1 : RATES_2)[rates >> 4] ?? 0;
	const base = SAMPLE_RATES[(rates >> 2) & 3] ?? 0;
	if (kilobits === 0 || base === 0 || version === 1) return null;
	const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
	const samples = version === 3 ? 1152 : 576;
	const size = Math.floor((samples / 8) * ((kilobits * 1000) / rate)) + ((rates >> 1) & 1);
	return { seconds: samples / rate, size };
}
