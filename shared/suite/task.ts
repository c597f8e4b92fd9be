/**
 * A task of the suite: a start, a prompt, a budget, and an exact check.
 * Owns: the parts of a task, which is data. `"{{name}}"` is replaced by a number that the seed of the run chooses, and
 * `"{{a+2*b}}"` by a sum that is computed from left to right.
 */

/** A call of the API. `"$name.path"` is replaced by a field of an earlier answer. */
export interface SuiteCall {
	/** The default is POST. */
	readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path with its query. */
	readonly path: string;
	readonly body?: object;
	/** Name of the answer. */
	readonly as?: string;
	/** Repeats the call until a field of its answer has this value, at most `times` times. */
	readonly until?: { readonly field: string; readonly equals: unknown; readonly times: number };
}

/** Items of a list in an answer whose field is equal to `equals`, or is at least `atLeast`. */
export interface ItemPick {
	/** Reference to the list, such as `"$table.rows"`. */
	readonly pick: string;
	readonly field: string;
	readonly equals?: unknown;
	readonly atLeast?: number;
	/** True to compare the running total of the field. */
	readonly total?: boolean;
	/** Field whose values are the result. With `first`, the result is the value of the first item. */
	readonly take?: string;
	readonly first?: boolean;
	/** True if the result is the number of items. */
	readonly count?: boolean;
}

/** Calls, and the answer that follows from them. */
export interface TaskWork {
	readonly calls: readonly SuiteCall[];
	/** A value that may contain references to answers, such as `"$odds.condition.probability"`. */
	readonly answer?: unknown;
}

/** A claim about the world at the end of a task. */
export interface TaskClaim {
	/** Sentence in the report if the claim is false. */
	readonly otherwise: string;
	/** Calls of the suite before the check. */
	readonly calls?: readonly SuiteCall[];
	/** Condition that must be true. */
	readonly holds?: string;
	/** Field of a named answer, which must have the value `equals`. */
	readonly field?: string;
	readonly equals?: unknown;
	/** Largest allowed value of the field, instead of `equals`. */
	readonly atMost?: number;
}

export const GROUPS = ['build', 'understand', 'repair', 'play', 'prove'] as const;
export type TaskGroup = (typeof GROUPS)[number];

export interface SuiteTask {
	/** Unique name: lower-case words with hyphens. */
	readonly id: string;
	readonly title: string;
	/** Possible values of each number. The seed chooses one of them. */
	readonly numbers?: Readonly<Record<string, readonly number[]>>;
	/** Calls that build the world, starting from an empty one. */
	readonly start: readonly SuiteCall[];
	/** The whole instruction for the agent. */
	readonly prompt: string;
	readonly budget: { readonly calls: number; readonly bytes: number };
	/** Calls that may change main, such as `POST /step`. By default all may. Reads and calls on forks are always allowed. */
	readonly moves?: readonly string[];
	/** Claims that must be true at the end. */
	readonly claims?: readonly TaskClaim[];
	/** Calls on a new copy of the start. Their answer is the expected answer of the agent. */
	readonly truth?: TaskWork;
	/** A solution of the task. It is missing if the calls of `truth` are a solution. */
	readonly solution?: TaskWork;
}

export interface GroupedTask extends SuiteTask {
	readonly group: TaskGroup;
}

/** Returns a call with a JSON body. `as`: name of the answer. */
export const post = (path: string, body: object = {}, as?: string): SuiteCall => ({
	path,
	body,
	...(as === undefined ? {} : { as }),
});

export const get = (path: string, as?: string): SuiteCall => ({
	method: 'GET',
	path,
	...(as === undefined ? {} : { as }),
});

export const patch = (path: string, body: object): SuiteCall => ({ method: 'PATCH', path, body });
