/**
 * The smallest or largest value for which an answer is yes.
 * Owns: bisection, the check that the answer changes only once, and trying all values if it does not.
 */

/** Values beside the bisection that are tried to see if the answer is monotone. */
const CHECKS = 8;

/** Maximum number of values that are tried one by one. */
const MAX_SCANNED = 1000;

export interface Edge {
	readonly value: number | null;
	readonly monotone: boolean;
	readonly exact: boolean;
	readonly tried: number;
	readonly checked: number[];
	readonly changes: { readonly from: number; readonly to: number; readonly holds: boolean }[];
}

/** Answers for some values, null from where the work is spent. */
type EdgeTest = (places: readonly number[]) => Promise<readonly (boolean | null)[]>;

/** `holds` is asked for values by their index. `values` ascend. */
export async function findEdge(
	values: readonly number[],
	which: 'smallest' | 'largest',
	holds: EdgeTest,
): Promise<Edge & { readonly complete: boolean }> {
	const tried = new Map<number, boolean>();
	let complete = true;
	const ask: EdgeTest = async (places) => {
		const open = [...new Set(places)].filter((at) => !tried.has(at));
		const answers = complete ? await holds(open) : [];
		for (const [i, at] of open.entries()) {
			const answer = answers[i] ?? null;
			if (answer === null) complete = false;
			else tried.set(at, answer);
		}
		return places.map((at) => tried.get(at) ?? null);
	};
	const last = values.length - 1;
	await bisect(last, ask);
	const checks = checksBetween(last).filter((at) => !tried.has(at));
	await ask(checks);
	const checked = checks.filter((at) => tried.has(at)).map((at) => values[at]!);
	const inOrder = () => [...tried.keys()].sort((a, b) => a - b);
	// The answer may change once, and in the direction in which a smallest or largest value makes sense.
	const isMonotone = (): boolean => {
		const answers = inOrder().map((at) => tried.get(at)!);
		const turns = answers.slice(1).filter((answer, i) => answer !== answers[i]).length;
		return turns === 0 || (turns === 1 && answers.at(-1) === (which === 'smallest'));
	};
	const monotone = isMonotone();
	if (!monotone && values.length <= MAX_SCANNED) await ask([...values.keys()]);
	const order = inOrder();
	const yes = order.filter((at) => tried.get(at));
	const found = which === 'smallest' ? yes[0] : yes.at(-1);
	const changes = order.slice(1).flatMap((at, i) => {
		const before = order[i]!;
		if (tried.get(before) === tried.get(at)) return [];
		return [{ from: values[before]!, to: values[at]!, holds: tried.get(at)! }];
	});
	return {
		value: found === undefined ? null : values[found]!,
		monotone,
		exact: tried.size === values.length,
		tried: tried.size,
		checked: checked.sort((a, b) => a - b),
		changes,
		complete,
	};
}

/** Asks at both ends, and narrows down the place between them at which the answer changes. */
async function bisect(last: number, ask: EdgeTest): Promise<void> {
	let [low, high] = [0, last];
	const [first, end] = await ask([low, high]);
	if (first == null || end == null || first === end) return;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		const [answer] = await ask([middle]);
		if (answer == null) return;
		if (answer === first) low = middle;
		else high = middle;
	}
}

/** Returns places spread evenly between both ends. */
const checksBetween = (last: number): number[] => [
	...new Set(Array.from({ length: CHECKS }, (_, i) => Math.round(((i + 1) * last) / (CHECKS + 1)))),
];
