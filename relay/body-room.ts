/**
 * Room for the bodies of calls.
 * Owns: the byte counts of bodies, in total and by caller. Only the relay and admins may use the reserved
 * bytes. Any other caller may hold at most half of the rest. The first `exemptBytes` of each body do not count.
 */

import type { CallerKey } from './caller.ts';

export interface RoomLimits {
	/** Maximum counted bytes of all bodies together. */
	readonly bytes: number;
	/** The part of `bytes` that is reserved for admins. */
	readonly reservedBytes: number;
	/** Bytes of each body that do not count, so that large bodies never exclude small calls. */
	readonly exemptBytes: number;
}

/** Byte counts of the bodies that the relay holds. */
export class BodyRoom {
	readonly #limits: RoomLimits;
	readonly #bytesByCaller = new Map<CallerKey, number>();
	#total = 0;

	constructor(limits: RoomLimits) {
		this.#limits = limits;
	}

	/** Counted bytes of all bodies. */
	get total(): number {
		return this.#total;
	}

	/** Returns the number of bytes of a body that count. */
	countedBytes(length: number): number {
		return Math.max(0, length - this.#limits.exemptBytes);
	}

	/**
	 * Returns the limit that `more` further bytes of a caller would exceed, as the end of a sentence. Returns undefined if
	 * they fit.
	 */
	exceededLimit(caller: CallerKey, more: number): string | undefined {
		const { bytes, reservedBytes } = this.#limits;
		if (more === 0) return undefined;
		const canUseReserve = caller === 'own' || caller === 'admin';
		const room = canUseReserve ? bytes : bytes - reservedBytes;
		if (this.#total + more > room) return `the limit of ${room} bytes`;
		const share = Math.floor(room / 2);
		return !canUseReserve && (this.#bytesByCaller.get(caller) ?? 0) + more > share
			? `the ${share} bytes that one caller may hold of ${room}`
			: undefined;
	}

	/** Adds to the counts of a caller. A negative number gives bytes back. */
	add(caller: CallerKey, bytes: number): void {
		this.#total += bytes;
		const callerBytes = (this.#bytesByCaller.get(caller) ?? 0) + bytes;
		if (callerBytes === 0) this.#bytesByCaller.delete(caller);
		else this.#bytesByCaller.set(caller, callerBytes);
	}
}
