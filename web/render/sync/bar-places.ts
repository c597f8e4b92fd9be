/**
 * Places of health bars in a picture, so that none covers another and all are inside.
 * Owns: the order in which bars get their places, and the shifts. Its arrays are kept from picture to picture.
 */

import { capacityOf } from './rows-mesh.ts';

/** Step by which a bar moves up if it would cover another (CSS pixels), and maximum of steps. */
const APART = 12;
const MAX_STEPS = 5;
/** Smallest difference in height of two bars that do not cover each other (CSS pixels). */
const CLEAR = APART - 0.5;
const NONE = -1;
/** Bits of a key with the number of its bar. Numbers that are rounded to 32 bits leave 29 of the 64 unused. */
const INDEX = 0x1fffffff;

/** Returns `x` moved so that the whole bar is in the picture; the middle if the bar is wider than the picture. */
export function insideOf(x: number, wide: number, width: number): number {
	const most = Math.max(0, (width - wide) / 2);
	return Math.max(-most, Math.min(x, most));
}

/** The bars of one picture, in CSS pixels with y upwards. */
export class BarPlaces {
	#count = 0;
	#x = new Float64Array(0);
	#y = new Float64Array(0);
	#wide = new Float64Array(0);
	/** The distance of each bar. */
	#away = new Float64Array(0);
	/** The distances in order. The lowest bits of each are the number of its bar. */
	#keys = new Float64Array(0);
	#bits = new Uint32Array(0);
	/** Height at which a bar is placed. */
	#placed = new Float64Array(0);
	/** Next bar in the same lane. */
	#next = new Int32Array(0);
	/** First and last placed bar of each lane of height. */
	#heads = new Int32Array(0);
	#tails = new Int32Array(0);
	/** The different widths, the largest first. */
	readonly #widths: number[] = [];

	/** Begins a picture with at most `count` bars. */
	begin(count: number): void {
		this.#count = 0;
		this.#widths.length = 0;
		if (count <= this.#x.length) return;
		const length = capacityOf(count);
		this.#x = new Float64Array(length);
		this.#y = new Float64Array(length);
		this.#wide = new Float64Array(length);
		this.#away = new Float64Array(length);
		this.#keys = new Float64Array(length);
		this.#bits = new Uint32Array(this.#keys.buffer);
		this.#placed = new Float64Array(length);
		this.#next = new Int32Array(length);
	}

	/** Adds a bar, `away` metres from the eye, and returns its number. */
	add(x: number, y: number, wide: number, away: number): number {
		const bar = this.#count++;
		this.#x[bar] = x;
		this.#y[bar] = y;
		this.#wide[bar] = wide;
		this.#away[bar] = away;
		if (!this.#widths.includes(wide)) this.#widths.push(wide);
		return bar;
	}

	/**
	 * Moves bars upwards so that none covers another. Calls `shift` with the number of each bar and its shift, or null for a
	 * bar without room near its place. The widest bars are first, then the nearest, then those of lower number.
	 */
	arrange(shift: (bar: number, up: number | null) => void): void {
		const first = this.#clearLanes();
		this.#widths.sort((a, b) => b - a);
		for (const wide of this.#widths) {
			const count = this.#sort(wide);
			for (let at = 0; at < count; at++) {
				const bar = this.#bits[at * 2]! & INDEX;
				shift(bar, this.#place(bar, first));
			}
		}
	}

	/** Empties the lanes. Returns the number of the lowest. */
	#clearLanes(): number {
		let [lowest, highest] = [Infinity, -Infinity];
		for (let bar = 0; bar < this.#count; bar++) {
			const y = this.#y[bar]!;
			if (y < lowest) lowest = y;
			if (y > highest) highest = y;
		}
		if (this.#count === 0) return 0;
		const first = Math.floor(lowest / APART) - 1;
		// Each step moves a bar by less than two lanes.
		const lanes = Math.floor(highest / APART) - first + 2 * (MAX_STEPS + 1) + 2;
		if (lanes > this.#heads.length) {
			this.#heads = new Int32Array(capacityOf(lanes));
			this.#tails = new Int32Array(this.#heads.length);
		}
		this.#heads.fill(NONE);
		return first;
	}

	/** Puts the bars of a width in order of distance. Returns their number. */
	#sort(wide: number): number {
		const [keys, bits] = [this.#keys, this.#bits];
		let count = 0;
		for (let bar = 0; bar < this.#count; bar++) {
			if (this.#wide[bar] !== wide) continue;
			keys[count] = Math.fround(this.#away[bar]!);
			// The low half comes first on every device that has a browser.
			bits[count * 2]! |= bar;
			count++;
		}
		keys.subarray(0, count).sort();
		return count;
	}

	/** Returns the shift of a bar beside those that have their places, or null without room. */
	#place(bar: number, first: number): number | null {
		const [x, y, wide] = [this.#x[bar]!, this.#y[bar]!, this.#wide[bar]!];
		let free = y;
		for (let step = 0; step <= MAX_STEPS; step++) {
			const lane = Math.floor(free / APART) - first;
			const other = this.#covered(lane, x, free, wide);
			if (other === NONE) {
				this.#put(bar, lane, free);
				return Math.round(free - y);
			}
			free = this.#placed[other]! + APART;
		}
		return null;
	}

	#put(bar: number, lane: number, height: number): void {
		this.#placed[bar] = height;
		this.#next[bar] = NONE;
		if (this.#heads[lane] === NONE) this.#heads[lane] = bar;
		else this.#next[this.#tails[lane]!] = bar;
		this.#tails[lane] = bar;
	}

	/**
	 * Returns the first bar that a bar at this place would cover, of its own lane, the one above or the one below. It runs
	 * some thousand times per picture.
	 */
	#covered(lane: number, x: number, y: number, wide: number): number {
		const [xs, placed, wides, next] = [this.#x, this.#placed, this.#wide, this.#next];
		for (let nth = 0; nth < 3; nth++) {
			const from = nth === 2 ? lane - 1 : lane + nth;
			for (let bar = this.#heads[from]!; bar !== NONE; bar = next[bar]!)
				if (Math.abs(xs[bar]! - x) < (wides[bar]! + wide) / 2 && Math.abs(placed[bar]! - y) < CLEAR)
					return bar;
		}
		return NONE;
	}
}
