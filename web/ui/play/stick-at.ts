/** Position of a finger on a stick. Owns: the arithmetic. */

/** Returns the offset of a point from the middle of a box, as shares of half its size, limited to a length of 1. */
export function stickAt(
	box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
	clientX: number,
	clientY: number,
): readonly [x: number, y: number] {
	const x = (clientX - box.left - box.width / 2) / (box.width / 2);
	const y = (clientY - box.top - box.height / 2) / (box.height / 2);
	const distance = Math.max(1, Math.hypot(x, y));
	return [x / distance, y / distance];
}
