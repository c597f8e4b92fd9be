/**
 * Makes the calls of a task in order.
 * Owns: the values of `$name.path` in them, and the repetition of a call until its answer has a value.
 */

import type { CallHandler } from '../../shared/contract/wire.ts';
import type { ItemPick, SuiteCall, TaskWork } from '../../shared/suite/task.ts';
import { createClient } from '../../shared/transport/client.ts';

/** Reports that a call of a task was refused. */
export class RefusedTaskCall extends Error {}

/** Makes calls in order, and keeps the answers of calls with a name. */
export class TaskCalls {
	readonly #client;
	readonly #answers: Record<string, unknown> = {};

	constructor(handle: CallHandler) {
		this.#client = createClient(handle, { 'user-agent': 'orrery suite' });
	}

	/** Makes all calls, then returns the answer. Rejects with `RefusedTaskCall`. */
	async run({ calls, answer }: TaskWork): Promise<unknown> {
		for (const call of calls) await this.call(call);
		return this.valueOf(answer);
	}

	/** Makes a call. With `until`, repeats it. Keeps the last answer under its name. Rejects with `RefusedTaskCall`. */
	async call(call: SuiteCall): Promise<void> {
		for (let times = call.until?.times ?? 1; times > 0; times--) {
			const answer = await this.#send(call);
			if (call.as !== undefined) this.#answers[call.as] = answer;
			if (call.until !== undefined && isEqualJson(fieldOf(answer, call.until.field), call.until.equals))
				return;
		}
	}

	async #send({ method = 'POST', path, body }: SuiteCall): Promise<unknown> {
		const fullPath = path.replace(/\$\w[\w.]*\w/g, (reference) =>
			encodeURIComponent(String(this.valueOf(reference))),
		);
		const [pathname = '/', query = ''] = fullPath.split('?', 2);
		const bodyValue = this.valueOf(body ?? (method === 'POST' ? {} : undefined));
		const response = await this.#client.send({ method, path: pathname, query, body: bodyValue });
		const answer = JSON.parse(new TextDecoder().decode(response.body)) as { ok?: boolean; error?: string };
		if (response.status >= 400 || answer.ok === false)
			throw new RefusedTaskCall(
				`${method} ${fullPath} was refused: ${answer.error ?? `status ${response.status}`}`,
			);
		return answer;
	}

	/**
	 * Returns a value in which fields of answers replace each `$name.path`. A `$name` without an answer stays, because
	 * actions of worlds use the same form.
	 */
	valueOf(value: unknown): unknown {
		if (typeof value === 'string') {
			const [, name] = /^\$(\w+)/.exec(value) ?? [];
			const isKnown = name !== undefined && Object.hasOwn(this.#answers, name);
			return isKnown ? fieldOf(this.#answers, value.slice(1)) : value;
		}
		if (Array.isArray(value)) return value.map((item) => this.valueOf(item));
		if (typeof value !== 'object' || value === null) return value;
		if ('pick' in value) return pickItems(this.valueOf(value.pick), value as ItemPick);
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.valueOf(item)]));
	}
}

/** Returns the items of a list that a `ItemPick` selects, or their fields, the first of them, or their number. */
function pickItems(list: unknown, { field, equals, atLeast, total, take, first, count }: ItemPick): unknown {
	if (!Array.isArray(list)) return undefined;
	let sum = 0;
	const items = list.filter((item) => {
		const value = fieldOf(item, field);
		if (atLeast === undefined) return isEqualJson(value, equals);
		sum = (total === true ? sum : 0) + (value as number);
		return sum >= atLeast;
	});
	if (count === true) return items.length;
	const values = take === undefined ? items : items.map((item) => fieldOf(item, take));
	return first === true ? values[0] : values;
}

/** Returns the value at a path such as `rows.0.1`; undefined if there is none. */
function fieldOf(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key], value);
}

/** Returns true if two JSON values are equal. */
export function isEqualJson(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
