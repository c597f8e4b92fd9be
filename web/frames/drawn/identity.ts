/** Numbers for values that are never changed but replaced. Owns: the number of each value, and the first number. */

/** Random offset of this tab's numbers, so that numbers of different tabs differ. */
const EPOCH = crypto.getRandomValues(new Uint32Array(1))[0]! * 2 ** 20;

/** Returns the number that is sent to views for a number of this tab. */
export const worldwide = (number: number): number => EPOCH + number;

/** Returns the number of this tab for a number that was sent to a view. */
export const ownNumber = (clientNumber: number): number => clientNumber - EPOCH;

const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns the number of an object. It is the same in all worlds. */
export function identityOf(value: object): number {
	let number = numbers.get(value);
	if (number === undefined) {
		number = ++last;
		numbers.set(value, number);
	}
	return number;
}
