/**
 * Packets: the one binary format of sockets, journals, states and saved worlds.
 * Owns: the layout. u32 length of all that follows, u32 length of the head, the head as JSON (UTF-8), bytes. Integers are
 * little-endian. Packets follow one another without padding.
 * Never: looks into a head.
 */

import { joinBytes } from '../contract/joined-bytes.ts';

/** Version of everything that is made of packets. It rises when the layout or a head changes. */
export const PACKET_VERSION = 10;

export interface Packet {
	readonly head: unknown;
	/** A view into what was decoded. */
	readonly bytes: Uint8Array;
}

/** Bytes that are not made of packets. */
export class PacketError extends RangeError {
	constructor(message: string) {
		super(message);
		this.name = 'PacketError';
	}
}

/** Bytes before a head. */
const START = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A head, or its JSON. */
type PacketHead = object | string;

const textOf = (head: PacketHead): string => (typeof head === 'string' ? head : JSON.stringify(head));

/** Returns a packet in pieces that follow one another. Nothing is copied but the head. */
export function packetPieces(head: PacketHead, pieces: readonly Uint8Array[]): Uint8Array[] {
	const json = encoder.encode(textOf(head));
	const start = new Uint8Array(START + json.length);
	const view = new DataView(start.buffer);
	let length = START - 4 + json.length;
	for (const piece of pieces) length += piece.length;
	view.setUint32(0, length, true);
	view.setUint32(4, json.length, true);
	start.set(json, START);
	return [start, ...pieces];
}

/** Short packets are put together here: many small arrays cost more than one copy. */
const SHORT = 16 * 1024;
const short = new Uint8Array(SHORT);
const shortView = new DataView(short.buffer);

export interface NewPacket {
	readonly head: PacketHead;
	readonly bytes: Uint8Array;
}

/** Returns packets in one new buffer. Bytes are copied once, into it, or twice if they are short. */
export function encodePackets(packets: readonly NewPacket[]): Uint8Array<ArrayBuffer> {
	return encodeShort(packets) ?? joinBytes(packets.flatMap(({ head, bytes }) => packetPieces(head, [bytes])));
}

/** Undefined if they are too long. */
function encodeShort(packets: readonly NewPacket[]): Uint8Array<ArrayBuffer> | undefined {
	let at = 0;
	for (const { head, bytes } of packets) {
		const json = textOf(head);
		// A character has at most three bytes.
		if (at + START + 3 * json.length + bytes.length > SHORT) return undefined;
		const { written } = encoder.encodeInto(json, short.subarray(at + START));
		shortView.setUint32(at, START - 4 + written + bytes.length, true);
		shortView.setUint32(at + 4, written, true);
		short.set(bytes, at + START + written);
		at += START + written + bytes.length;
	}
	return short.slice(0, at);
}

/** Returns the packet that begins at `at`, and where the next one begins. Throws `PacketError` for one that is cut off. */
export function decodePacket(bytes: Uint8Array, at = 0): Packet & { readonly end: number } {
	if (bytes.length - at < START) throw new PacketError('A packet is cut off.');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = at + 4 + view.getUint32(at, true);
	const headEnd = at + START + view.getUint32(at + 4, true);
	if (end > bytes.length || headEnd > end) throw new PacketError('A packet is cut off.');
	return { head: parsed(bytes.subarray(at + START, headEnd)), bytes: bytes.subarray(headEnd, end), end };
}

/** Returns all packets, in order. Throws `PacketError` if one is cut off. */
export function decodePackets(bytes: Uint8Array): Packet[] {
	const packets: Packet[] = [];
	for (let at = 0; at < bytes.length; ) {
		const packet = decodePacket(bytes, at);
		packets.push(packet);
		at = packet.end;
	}
	return packets;
}

function parsed(json: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(json));
	} catch {
		throw new PacketError('The head of a packet is not JSON.');
	}
}
