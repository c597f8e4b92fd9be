/**
 * A task of the suite: a start, a prompt, a budget, and an exact check.
 * Owns: what a task consists of. It is data. `"{{name}}"` stands for a number that the seed of the run chooses, `"{{a+2*b}}"` for a sum from left to right.
 */

/** A call of the API. `"$name.path"` stands for a field of an earlier answer. */
export interface SuiteCall {
	/** POST unless given. */
	readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** With its query. */
	readonly path: string;
	readonly body?: object;
	/** Name of the answer. */
	readonly as?: string;
	/** Makes the call again, at most this many times, until a field of its answer has this value. */
	readonly until?: { readonly field: string; readonly equals: unknown; readonly times: number };
}

/** Items of a list in an answer: those whose field has a value, or at least one. */
export interface Pick {
	/** Such as `"$table.rows"`. */
	readonly pick: string;
	readonly field: string;
	readonly equals?: unknown;
	readonly atLeast?: number;
	/** Compares the running total of the field. */
	readonly total?: boolean;
	/** Field of each item that is taken. `first` takes that of the first item only. */
	readonly take?: string;
	readonly first?: boolean;
	/** The number of items instead. */
	readonly count?: boolean;
}

/** Calls, and the answer that they lead to. */
export interface TaskWork {
	readonly calls: readonly SuiteCall[];
	/** A value, with fields of answers: `"$odds.condition.probability"`. */
	readonly answer?: unknown;
}

/** A claim about the world that the agent leaves. */
export interface TaskClaim {
	/** Sentence in the report if the claim does not hold. */
	readonly otherwise: string;
	/** Calls that the suite makes before it looks. */
	readonly calls?: readonly SuiteCall[];
	/** A condition that holds. */
	readonly holds?: string;
	/** A field of the named answers, and its value. */
	readonly field?: string;
	readonly equals?: unknown;
	/** The largest value of the field, instead of its only one. */
	readonly atMost?: number;
}

export const GROUPS = ['build', 'understand', 'repair', 'play', 'prove'] as const;
export type TaskGroup = (typeof GROUPS)[number];

export interface SuiteTask {
	/** Unique: lower-case words with hyphens. */
	readonly id: string;
	readonly title: string;
	/** Numbers of which the seed chooses one each. */
	readonly numbers?: Readonly<Record<string, readonly number[]>>;
	/** Calls that make the world, in an empty one. */
	readonly start: readonly SuiteCall[];
	/** Everything that the agent is told. */
	readonly prompt: string;
	readonly budget: { readonly calls: number; readonly bytes: number };
	/** Calls that may change main: `POST /step`. Any, if not given. Reads, and calls on forks, are always free. */
	readonly moves?: readonly string[];
	/** Claims that hold at the end. */
	readonly claims?: readonly TaskClaim[];
	/** Calls on a fresh copy of the start, and the answer that the agent must give. */
	readonly truth?: TaskWork;
	/** A way to pass. Left out if the calls of `truth` are one. */
	readonly solution?: TaskWork;
}

export interface GroupedTask extends SuiteTask {
	readonly group: TaskGroup;
}

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
