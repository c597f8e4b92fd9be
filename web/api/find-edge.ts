/**
 * Search for the smallest or largest value at which a test holds.
 * Owns: bisection, the check that the answer changes only once, and trying all values if it does not.
 */

/** Number of values, besides those of the bisection, that check whether the answer is monotone. */
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

/** Tests the values at some indices. Answers are null once the work is spent. */
type EdgeTest = (indices: readonly number[]) => Promise<readonly (boolean | null)[]>;

/** Finds the edge among ascending `values`. `holds` tests values by their index. */
export async function findEdge(
	values: readonly number[],
	which: 'smallest' | 'largest',
	holds: EdgeTest,
): Promise<Edge & { readonly complete: boolean }> {
	const answerAt = new Map<number, boolean>();
	let complete = true;
	const ask: EdgeTest = async (indices) => {
		const untried = [...new Set(indices)].filter((at) => !answerAt.has(at));
		const answers = complete ? await holds(untried) : [];
		for (const [i, at] of untried.entries()) {
			const answer = answers[i] ?? null;
			if (answer === null) complete = false;
			else answerAt.set(at, answer);
		}
		return indices.map((at) => answerAt.get(at) ?? null);
	};
	const last = values.length - 1;
	await bisect(last, ask);
	const checks = checksBetween(last).filter((at) => !answerAt.has(at));
	await ask(checks);
	const checked = checks.filter((at) => answerAt.has(at)).map((at) => values[at]!);
	const inOrder = () => [...answerAt.keys()].sort((a, b) => a - b);
	// The answer may change once, and in the direction in which a smallest or largest value makes sense.
	const isMonotone = (): boolean => {
		const answers = inOrder().map((at) => answerAt.get(at)!);
		const turns = answers.slice(1).filter((answer, i) => answer !== answers[i]).length;
		return turns === 0 || (turns === 1 && answers.at(-1) === (which === 'smallest'));
	};
	const monotone = isMonotone();
	if (!monotone && values.length <= MAX_SCANNED) await ask([...values.keys()]);
	const order = inOrder();
	const holding = order.filter((at) => answerAt.get(at));
	const edgeIndex = which === 'smallest' ? holding[0] : holding.at(-1);
	const changes = order.slice(1).flatMap((at, i) => {
		const before = order[i]!;
		if (answerAt.get(before) === answerAt.get(at)) return [];
		return [{ from: values[before]!, to: values[at]!, holds: answerAt.get(at)! }];
	});
	return {
		value: edgeIndex === undefined ? null : values[edgeIndex]!,
		monotone,
		exact: answerAt.size === values.length,
		tried: answerAt.size,
		checked: checked.sort((a, b) => a - b),
		changes,
		complete,
	};
}

/** Tests both ends, and narrows down the index between them at which the answer changes. */
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

/** Returns indices spread evenly between both ends. */
const checksBetween = (last: number): number[] => [
	...new Set(Array.from({ length: CHECKS }, (_, i) => Math.round(((i + 1) * last) / (CHECKS + 1)))),
];
