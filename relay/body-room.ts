/**
 * Room for the bodies of calls.
 * Owns: the byte counts of bodies, in all and by caller. A caller holds at most half of what is not kept for admins,
 * so one alone keeps no other out. The first bytes of each body do not count.
 */

import type { CallerKey } from './caller.ts';

export interface RoomLimits {
	readonly bytes: number;
	/** Bytes of those that are kept for admins. */
	readonly keptBytes: number;
	/** Bytes of each body that do not count, so that large ones keep no small call out. */
	readonly smallBody: number;
}

export class BodyRoom {
	readonly #limits: RoomLimits;
	readonly #bytesByCaller = new Map<CallerKey, number>();
	#total = 0;

	constructor(limits: RoomLimits) {
		this.#limits = limits;
	}

	/** Bytes that count, of all bodies. */
	get total(): number {
		return this.#total;
	}

	/** Returns the bytes that count, of a body with a length. */
	counted(length: number): number {
		return Math.max(0, length - this.#limits.smallBody);
	}

	/** Returns the reason that a caller cannot hold more bytes, as the end of a sentence; undefined if it can. */
	refusal(caller: CallerKey, more: number): string | undefined {
		const { bytes, keptBytes } = this.#limits;
		if (more === 0) return undefined;
		const isKept = caller === 'own' || caller === 'admin';
		const room = isKept ? bytes : bytes - keptBytes;
		if (this.#total + more > room) return `the limit of ${room} bytes`;
		const share = Math.floor(room / 2);
		return !isKept && (this.#bytesByCaller.get(caller) ?? 0) + more > share
			? `the ${share} bytes that one caller may hold of ${room}`
			: undefined;
	}

	/** Bytes below zero give back. */
	add(caller: CallerKey, bytes: number): void {
		this.#total += bytes;
		const total = (this.#bytesByCaller.get(caller) ?? 0) + bytes;
		if (total === 0) this.#bytesByCaller.delete(caller);
		else this.#bytesByCaller.set(caller, total);
	}
}
