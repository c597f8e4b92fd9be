/** Numbers for values that are never changed but replaced. Owns: which number each value has. */

const numbers = new WeakMap<object, number>();
let last = 0;

/** The number of a value: the same for the same object, in whichever world it stands. */
export function identityOf(value: object): number {
	let number = numbers.get(value);
	if (number === undefined) {
		number = ++last;
		numbers.set(value, number);
	}
	return number;
}
