/**
 * Packets: the binary format of sockets, journals, states and saved worlds.
 * Owns: the layout: u32 length of the rest of the packet, u32 length of the head, the head as JSON (UTF-8), bytes.
 * Integers are little-endian. Packets follow one another without padding.
 * Never: reads the content of a head.
 */

import { joinBytes } from '../contract/joined-bytes.ts';

/** Version of all packets. It rises when the layout or a head changes. */
export const PACKET_VERSION = 10;

export interface Packet {
	readonly head: unknown;
	/** A view into the decoded bytes. */
	readonly bytes: Uint8Array;
}

/** Error for bytes that do not consist of packets. */
export class PacketError extends RangeError {
	constructor(message: string) {
		super(message);
		this.name = 'PacketError';
	}
}

/** Number of bytes before a head. */
const PREFIX_BYTES = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A head as a value or as JSON. */
type PacketHead = object | string;

const textOf = (head: PacketHead): string => (typeof head === 'string' ? head : JSON.stringify(head));

/** Returns a packet in consecutive pieces. Only the head is copied. */
export function packetPieces(head: PacketHead, pieces: readonly Uint8Array[]): Uint8Array[] {
	const json = encoder.encode(textOf(head));
	const start = new Uint8Array(PREFIX_BYTES + json.length);
	const view = new DataView(start.buffer);
	let length = PREFIX_BYTES - 4 + json.length;
	for (const piece of pieces) length += piece.length;
	view.setUint32(0, length, true);
	view.setUint32(4, json.length, true);
	start.set(json, PREFIX_BYTES);
	return [start, ...pieces];
}

/** Buffer in which short packets are built: one copy costs less than many small arrays. */
const SHORT_BYTES = 16 * 1024;
const short = new Uint8Array(SHORT_BYTES);
const shortView = new DataView(short.buffer);

export interface NewPacket {
	readonly head: PacketHead;
	readonly bytes: Uint8Array;
}

/** Returns packets in one new buffer. Short packets are copied twice, others once. */
export function encodePackets(packets: readonly NewPacket[]): Uint8Array<ArrayBuffer> {
	return encodeShort(packets) ?? joinBytes(packets.flatMap(({ head, bytes }) => packetPieces(head, [bytes])));
}

/** Returns short packets in one buffer; undefined if they are too long. */
function encodeShort(packets: readonly NewPacket[]): Uint8Array<ArrayBuffer> | undefined {
	let offset = 0;
	for (const { head, bytes } of packets) {
		const json = textOf(head);
		// A character has at most three bytes.
		if (offset + PREFIX_BYTES + 3 * json.length + bytes.length > SHORT_BYTES) return undefined;
		const { written } = encoder.encodeInto(json, short.subarray(offset + PREFIX_BYTES));
		shortView.setUint32(offset, PREFIX_BYTES - 4 + written + bytes.length, true);
		shortView.setUint32(offset + 4, written, true);
		short.set(bytes, offset + PREFIX_BYTES + written);
		offset += PREFIX_BYTES + written + bytes.length;
	}
	return short.slice(0, offset);
}

/** Returns the packet at `offset`, and the offset of the next one (`end`). Throws `PacketError` if it is incomplete. */
export function decodePacket(bytes: Uint8Array, offset = 0): Packet & { readonly end: number } {
	if (bytes.length - offset < PREFIX_BYTES) throw new PacketError('A packet is cut off.');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = offset + 4 + view.getUint32(offset, true);
	const headEnd = offset + PREFIX_BYTES + view.getUint32(offset + 4, true);
	if (end > bytes.length || headEnd > end) throw new PacketError('A packet is cut off.');
	return {
		head: parseHead(bytes.subarray(offset + PREFIX_BYTES, headEnd)),
		bytes: bytes.subarray(headEnd, end),
		end,
	};
}

/** Returns all packets, in order. Throws `PacketError` if one is incomplete. */
export function decodePackets(bytes: Uint8Array): Packet[] {
	const packets: Packet[] = [];
	for (let offset = 0; offset < bytes.length; ) {
		const packet = decodePacket(bytes, offset);
		packets.push(packet);
		offset = packet.end;
	}
	return packets;
}

function parseHead(json: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(json));
	} catch {
		throw new PacketError('The head of a packet is not JSON.');
	}
}
