/** Numbers for values that are never changed but replaced. Owns: the number of each value, and the first number. */

/** Elsewhere in every tab, so that a view takes nothing of one tab for something of another. */
const EPOCH = crypto.getRandomValues(new Uint32Array(1))[0]! * 2 ** 20;

/** Returns a number of this tab as it is told to views. */
export const worldwide = (number: number): number => EPOCH + number;

/** Returns a number that a view was told, as this tab has it. */
export const ownNumber = (clientNumber: number): number => clientNumber - EPOCH;

const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns the number of a value: the same for the same object, in whichever world it stands. */
export function identityOf(value: object): number {
	let number = numbers.get(value);
	if (number === undefined) {
		number = ++last;
		numbers.set(value, number);
	}
	return number;
}
