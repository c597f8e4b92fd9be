/**
 * Searches for the smallest or largest value at which a test holds.
 * Owns: the bisection, the check that the answer changes only once, and the test of all values if it does not.
 */

/** Number of additional values that check if the answer is monotone. */
const MAX_CHECKS = 8;

/** Maximum number of values that are all tested. */
const MAX_VALUES = 1000;

/** Result of a search. */
export interface Edge {
	/** Smallest or largest value at which the test holds; null if it holds at none. */
	readonly value: number | null;
	/** True if the answer changes at most once. */
	readonly monotone: boolean;
	/** True if all values were tested. */
	readonly exact: boolean;
	/** Number of tested values. */
	readonly tried: number;
	/** Additional values that were tested. */
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
	let isComplete = true;
	const test: EdgeTest = async (indices) => {
		const untried = [...new Set(indices)].filter((at) => !answerAt.has(at));
		const answers = isComplete ? await holds(untried) : [];
		for (const [i, at] of untried.entries()) {
			const answer = answers[i] ?? null;
			if (answer === null) isComplete = false;
			else answerAt.set(at, answer);
		}
		return indices.map((at) => answerAt.get(at) ?? null);
	};
	const last = values.length - 1;
	await bisect(last, test);
	const checks = checksBetween(last).filter((at) => !answerAt.has(at));
	await test(checks);
	const checked = checks.filter((at) => answerAt.has(at)).map((at) => values[at]!);
	const testedIndices = () => [...answerAt.keys()].sort((a, b) => a - b);
	// The answer may change once, and in the direction in which a smallest or largest value makes sense.
	const isMonotone = (): boolean => {
		const answers = testedIndices().map((at) => answerAt.get(at)!);
		const changeCount = answers.slice(1).filter((answer, i) => answer !== answers[i]).length;
		return changeCount === 0 || (changeCount === 1 && answers.at(-1) === (which === 'smallest'));
	};
	const monotone = isMonotone();
	if (!monotone && values.length <= MAX_VALUES) await test([...values.keys()]);
	const order = testedIndices();
	const holdingIndices = order.filter((at) => answerAt.get(at));
	const edgeIndex = which === 'smallest' ? holdingIndices[0] : holdingIndices.at(-1);
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
		complete: isComplete,
	};
}

/** Tests both ends, and narrows down the index between them at which the answer changes. */
async function bisect(last: number, test: EdgeTest): Promise<void> {
	let [low, high] = [0, last];
	const [first, end] = await test([low, high]);
	if (first == null || end == null || first === end) return;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		const [answer] = await test([middle]);
		if (answer == null) return;
		if (answer === first) low = middle;
		else high = middle;
	}
}

/** Returns indices spread evenly between both ends. */
const checksBetween = (last: number): number[] => [
	...new Set(Array.from({ length: MAX_CHECKS }, (_, i) => Math.round(((i + 1) * last) / (MAX_CHECKS + 1)))),
];
