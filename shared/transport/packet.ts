/**
 * Packets: the one binary format of sockets, journals, states and saved worlds.
 * Owns: the layout. u32 length of all that follows, u32 length of the head, the head as JSON (UTF-8), bytes. Integers are
 * little-endian. Packets follow one another without padding.
 * Never: looks into a head.
 */

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
type Head = object | string;

const jsonOf = (head: Head): Uint8Array =>
	encoder.encode(typeof head === 'string' ? head : JSON.stringify(head));

/** Returns a packet in pieces that follow one another. Nothing is copied but the head. */
export function packetPieces(head: Head, pieces: readonly Uint8Array[]): Uint8Array[] {
	const json = jsonOf(head);
	const start = new Uint8Array(START + json.length);
	const view = new DataView(start.buffer);
	let length = START - 4 + json.length;
	for (const piece of pieces) length += piece.length;
	view.setUint32(0, length, true);
	view.setUint32(4, json.length, true);
	start.set(json, START);
	return [start, ...pieces];
}

/** Returns packets in one new buffer. Bytes are copied once, into it. */
export function encodePackets(packets: readonly { readonly head: Head; readonly bytes: Uint8Array }[]) {
	const heads = packets.map(({ head }) => jsonOf(head));
	let size = 0;
	for (const [i, { bytes }] of packets.entries()) size += START + heads[i]!.length + bytes.length;
	const all = new Uint8Array(size);
	const view = new DataView(all.buffer);
	let at = 0;
	for (const [i, { bytes }] of packets.entries()) {
		const head = heads[i]!;
		view.setUint32(at, START - 4 + head.length + bytes.length, true);
		view.setUint32(at + 4, head.length, true);
		all.set(head, at + START);
		all.set(bytes, at + START + head.length);
		at += START + head.length + bytes.length;
	}
	return all;
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
