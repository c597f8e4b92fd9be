/**
 * One of many clients of a soak: a mix of calls, each of which must succeed, that leaves the world as large as it was.
 * Owns: what it makes and removes again, and noting what each call took and how it ended.
 */

export interface Tally {
	readonly calls: Map<string, number>;
	/** Milliseconds of each call. */
	readonly times: number[];
	readonly statuses: Map<number, number>;
	/** What went wrong, in words. */
	readonly errors: string[];
}

/** Entities that a client has at once. */
const MOST_OWN = 8;

export class Client {
	readonly #url: string;
	readonly #name: string;
	readonly #tally: Tally;
	readonly #own: { readonly id: number; readonly generation: number }[] = [];
	#state: number;
	#count = 0;

	constructor(url: string, number: number, tally: Tally) {
		this.#url = url;
		this.#name = `client-${number}`;
		this.#tally = tally;
		this.#state = number + 1;
	}

	/** Makes calls, one after the other, while told to. */
	async run(goOn: () => boolean): Promise<void> {
		while (goOn()) await this.#turn();
	}

	/** A number from 0 to one below `most`; the same series each time (Park and Miller's generator). */
	#draw(most: number): number {
		this.#state = (this.#state * 48_271) % 2_147_483_647;
		return this.#state % most;
	}

	async #turn(): Promise<void> {
		const kind = this.#draw(100);
		if (kind < 20 || this.#own.length === 0) return this.#spawn();
		const { id, generation } = this.#own[this.#draw(this.#own.length)]!;
		if (kind < 40) await this.#call('GET', `/entities/${id}`);
		else if (kind < 50) await this.#call('POST', `/observe?viewer=${id}`, {});
		else if (kind < 60) await this.#call('GET', '/digest');
		else if (kind < 70) await this.#call('POST', '/entity/damage', { entity_id: id, generation, amount: 1 });
		else if (kind < 80) await this.#call('POST', '/step', { ticks: 1 + this.#draw(3) });
		else if (kind < 83) await this.#fork();
		else if (kind < 86) await this.#call('POST', '/peek', {});
		else if (kind < 89) await this.#rule();
		else if (kind < 92) await this.#batch();
		else if (kind < 94) await this.#call('POST', '/snapshot', { label: this.#name });
		else if (kind < 96) await this.#call('GET', '/scenario');
		else if (kind < 98) await this.#call('GET', '/');
		else await this.#call('GET', '/schema?brief=true');
	}

	async #spawn(): Promise<void> {
		if (this.#own.length >= MOST_OWN) {
			const { id, generation } = this.#own.shift()!;
			await this.#call('POST', '/despawn', { entity_id: id, entity_generation: generation });
		}
		const body = {
			tags: [this.#name],
			health: 1_000_000,
			team: this.#draw(3),
			position: [this.#draw(200), 1 + this.#draw(50), this.#draw(200)],
			...(this.#draw(3) === 0 ? { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } } : {}),
		};
		const made = await this.#call('POST', '/spawn', body);
		if (made !== undefined) this.#own.push({ id: Number(made.id), generation: Number(made.generation) });
	}

	/** A plan, looked at and dropped again. */
	async #fork(): Promise<void> {
		const id = `${this.#name}-${++this.#count}`;
		if ((await this.#call('POST', '/fork', { fork_id: id })) === undefined) return;
		await this.#call('POST', `/fork/${id}/step`, { ticks: 2 });
		await this.#call('GET', `/digest?world=${id}`);
		await this.#call('DELETE', `/fork/${id}`);
	}

	async #rule(): Promise<void> {
		const made = await this.#call('POST', '/rule/create', {
			name: `${this.#name}-${++this.#count}`,
			when: 'field:health<1',
			do: ['despawn this'],
		});
		if (made !== undefined) await this.#call('DELETE', `/rule/${Number(made.rule_id)}`);
	}

	async #batch(): Promise<void> {
		await this.#call('POST', '/batch', {
			atomic: true,
			requests: [
				{ path: '/spawn', body: { health: 5 }, as: 'made' },
				{ method: 'GET', path: '/entities/$made.id' },
				{ path: '/despawn', body: { entity_id: '$made.id', entity_generation: '$made.generation' } },
			],
		});
	}

	/** The answer; undefined when the call did not succeed, which is noted. */
	async #call(method: string, path: string, body?: object): Promise<Record<string, unknown> | undefined> {
		const { calls, times, statuses, errors } = this.#tally;
		const name = `${method} ${path.split('?')[0]!.replace(/\/(?:\d+|client[^/]*)/g, '/{id}')}`;
		calls.set(name, (calls.get(name) ?? 0) + 1);
		const began = performance.now();
		try {
			const response = await fetch(this.#url + path, {
				method,
				...(body === undefined
					? {}
					: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
			});
			const answer = (await response.json()) as Record<string, unknown>;
			times.push(performance.now() - began);
			statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
			if (response.status < 400 && answer.ok !== false) return answer;
			errors.push(`${name}: ${response.status} ${String(answer.error)}`);
		} catch (error) {
			const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
			errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}${cause}`);
		}
		return undefined;
	}
}
