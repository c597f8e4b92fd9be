/** Numbers values that are replaced, but never changed in place. Owns: the number of each value, and the offset of this tab. */

/** Random offset of this tab's numbers, so that numbers of different tabs differ. */
const OFFSET = crypto.getRandomValues(new Uint32Array(1))[0]! * 2 ** 20;

/** Returns the number that is sent to views for a number of this tab. */
export const toViewNumber = (number: number): number => OFFSET + number;

/** Returns the number of this tab for a number that was sent to a view. */
export const toOwnNumber = (viewNumber: number): number => viewNumber - OFFSET;

const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns the number of an object. It is equal in all worlds. */
export function identityOf(value: object): number {
	let number = numbers.get(value);
	if (number === undefined) {
		number = ++last;
		numbers.set(value, number);
	}
	return number;
}
