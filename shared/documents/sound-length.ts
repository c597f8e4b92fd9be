/**
 * Length of a sound file, from its bytes alone, so that it is the same in every browser.
 * Owns: reading the length from WAV (RIFF), Ogg (RFC 3533, with Vorbis or Opus) and MPEG audio layer III.
 */

import type { MediaType } from './media-type.ts';

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
	String.fromCharCode(...bytes.subarray(at, at + length));

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
	for (let at = 12; at + 8 <= bytes.length; ) {
		const name = ascii(bytes, at, 4);
		const size = view.getUint32(at + 4, true);
		if (name === 'fmt ') {
			if (size < 16 || at + 24 > bytes.length || !PLAYABLE_ENCODINGS.includes(view.getUint16(at + 8, true)))
				return null;
			bytesPerSecond = view.getUint32(at + 16, true);
		} else if (name === 'data') {
			const available = Math.min(size, bytes.length - at - 8);
			return bytesPerSecond > 0 && available > 0 ? available / bytesPerSecond : null;
		}
		// Chunks begin at even positions.
		at += 8 + size + (size & 1);
	}
	return null;
}

/** Positions in Opus are counted at this rate, whatever the rate of the recording. */
const OPUS_RATE = 48_000;

function oggLength(bytes: Uint8Array, view: DataView): number | null {
	const headStart = 27 + (bytes[26] ?? 0);
	let rate = 0;
	let skip = 0;
	if (ascii(bytes, headStart, 8) === 'OpusHead' && headStart + 12 <= bytes.length) {
		rate = OPUS_RATE;
		skip = view.getUint16(headStart + 10, true);
	} else if (ascii(bytes, headStart, 7) === '\x01vorbis' && headStart + 16 <= bytes.length)
		rate = view.getUint32(headStart + 12, true);
	if (rate === 0) return null;
	// The last page contains the number of samples up to its end.
	for (let at = bytes.length - 27; at > 0; at--) {
		if (bytes[at] !== 0x4f || ascii(bytes, at, 4) !== 'OggS') continue;
		const samples = Number(view.getBigInt64(at + 6, true)) - skip;
		return samples > 0 ? samples / rate : null;
	}
	return null;
}

/** Kilobits per second of layer III by index: first MPEG 1, then MPEG 2 and 2.5 (ISO/IEC 11172-3, 13818-3). */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

function mpegLength(bytes: Uint8Array): number | null {
	let at = 0;
	if (ascii(bytes, 0, 3) === 'ID3' && bytes.length > 10)
		at = 10 + (((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!) >>> 0);
	let seconds = 0;
	while (at + 4 <= bytes.length) {
		const frame = mpegFrame(bytes, at);
		if (frame === null) break;
		seconds += frame.seconds;
		at += frame.size;
	}
	return seconds > 0 ? seconds : null;
}

function mpegFrame(
	bytes: Uint8Array,
	at: number,
): { readonly seconds: number; readonly size: number } | null {
	const [sync, kind, rates] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!];
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
