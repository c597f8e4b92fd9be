/**
 * The environment of a world for learning agents.
 * Owns: the declaration, and its numbers: observations, terms of rewards, ends. View scope: it shows the world and changes nothing.
 */

import type * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
	type EnvironmentDocument,
	type EnvironmentQuantity,
	type EnvironmentState,
	environmentDocument,
} from '../../../shared/rules/environment.ts';
import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import { requireFewLooks } from '../assertions/assertion.ts';
import { filterOf, untilCondition } from '../assertions/condition.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';
import { matchState } from '../match/match.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { LiveEntityReader } from '../rules/conditions/live-entity-reader.ts';
import { measure, positionOf } from '../rules/conditions/measure.ts';

export const Environment: Resource<EnvironmentDocument | null> = {
	name: 'environment',
	scope: 'view',
	summary: 'Observations, actions and rewards for learning agents',
	schema: environmentDocument.nullable() as unknown as z.ZodType<EnvironmentDocument | null>,
	isEmpty: (environment) => environment === null,
	initial: () => undefined,
};

/** Returns the declared environment; undefined if there is none. */
export const declaredEnvironment = (world: World): EnvironmentDocument | undefined =>
	resource(world, Environment) ?? undefined;

/** Throws `no_environment`. */
export function environmentOf(world: World): EnvironmentDocument {
	const declared = declaredEnvironment(world);
	if (declared === undefined) throw new ApiError('no_environment', 'This world declares no environment.');
	return declared;
}

/** Declares an environment, or none. Throws `invalid_assertion` for a condition that is not one. */
export function setEnvironment(world: World, document: EnvironmentDocument | null): void {
	if (document !== null) compiledOf(document);
	setResource(world, Environment, document);
}

interface CompiledQuantity {
	readonly sent: EnvironmentQuantity;
	readonly of: Condition | undefined;
	readonly count: Condition | undefined;
	readonly condition: Condition | undefined;
}

interface CompiledAgent {
	readonly name: string;
	readonly entity: Condition;
	readonly observation: readonly (CompiledQuantity & {
		readonly low: number;
		readonly high: number;
		readonly missing: number;
	})[];
	readonly reward: readonly (CompiledQuantity & { readonly weight: number; readonly change: boolean })[];
}

interface Compiled {
	readonly agents: readonly CompiledAgent[];
	readonly terminated: Condition | undefined;
	readonly truncated: Condition | undefined;
	/** Every condition and filter, once. */
	readonly conditions: readonly Condition[];
}

/** Conditions are read once for all worlds that share the declaration. */
const memo = new WeakMap<EnvironmentDocument, Compiled>();

function compiledOf(document: EnvironmentDocument): Compiled {
	let compiled = memo.get(document);
	if (compiled === undefined) {
		compiled = compile(document);
		memo.set(document, compiled);
	}
	return compiled;
}

function compile(document: EnvironmentDocument): Compiled {
	/** Equal texts become one condition, whose entities are looked for once. */
	const cache = new Map<string, Condition>();
	const once = (sent: unknown, read: () => Condition): Condition => {
		const key = JSON.stringify(sent);
		const condition = cache.get(key) ?? read();
		cache.set(key, condition);
		return condition;
	};
	type QuantityFilter = NonNullable<EnvironmentQuantity['of']>;
	type QuantityCondition = NonNullable<EnvironmentQuantity['condition']>;
	const filter = (sent: QuantityFilter | null | undefined, path: string) =>
		sent == null ? undefined : once(['filter', sent], () => filterOf(sent, path));
	const condition = (sent: QuantityCondition | null | undefined, path: string) =>
		sent == null ? undefined : once(['condition', sent], () => untilCondition(sent, path));
	const quantity = (sent: EnvironmentQuantity, path: string): CompiledQuantity => ({
		sent,
		of: filter(sent.of, `${path}.of`),
		count: filter(sent.count, `${path}.count`),
		condition: condition(sent.condition, `${path}.condition`),
	});
	const agents = document.agents.map(({ name, entity, observation, reward }, i) => {
		const place = (own: unknown, list: string) => (own == null ? list : `agents[${i}].${list}`);
		return {
			name,
			entity: filter(entity, `agents[${i}].entity`)!,
			observation: (observation ?? document.observation).map((item, k) => ({
				...quantity(item, `${place(observation, 'observation')}[${k}]`),
				low: item.low,
				high: item.high,
				missing: item.missing,
			})),
			reward: (reward ?? document.reward).map((item, k) => ({
				...quantity(item, `${place(reward, 'reward')}[${k}]`),
				weight: item.weight,
				change: item.change,
			})),
		};
	});
	const terminated = condition(document.terminated, 'terminated');
	const truncated = condition(document.truncated, 'truncated');
	return { agents, terminated, truncated, conditions: [...cache.values()] };
}

/** Returns the entity of each agent, or null. */
export function agentEntities(world: World, document: EnvironmentDocument): (number | null)[] {
	const look = new ConditionLook(world);
	return compiledOf(document).agents.map(({ entity }) => look.members(entity)[0] ?? null);
}

/**
 * Returns the numbers of a world for its environment. Throws `no_environment`, and `too_many_actions` if they take
 * too long.
 */
export function environmentState(world: World): EnvironmentState {
	const { agents, terminated, truncated, conditions } = compiledOf(environmentOf(world));
	requireFewLooks(world, conditions);
	const reader = new EnvironmentReader(world);
	const sum = (agent: CompiledAgent, change: boolean) =>
		agent.reward
			.filter((term) => term.change === change)
			.reduce((total, term) => total + term.weight * (reader.value(term, agent) ?? 0), 0);
	return {
		observation: agents.map((agent) =>
			agent.observation.map((item) => {
				const value = reader.value(item, agent) ?? item.missing;
				return shortestFloat32(Math.fround(Math.min(Math.max(value, item.low), item.high)));
			}),
		),
		potential: agents.map((agent) => sum(agent, true)),
		bonus: agents.map((agent) => sum(agent, false)),
		terminated: terminated !== undefined && reader.holds(terminated),
		truncated: truncated !== undefined && reader.holds(truncated),
	};
}

/** Reads numbers of one world. It looks for the entities of each filter once. */
class EnvironmentReader {
	readonly #world: World;
	readonly #look: ConditionLook;
	readonly #entity: LiveEntityReader;
	readonly #members = new Map<Condition, readonly number[]>();
	readonly #verdicts = new Map<Condition, boolean>();

	constructor(world: World) {
		this.#world = world;
		this.#look = new ConditionLook(world);
		this.#entity = new LiveEntityReader(world);
	}

	holds(condition: Condition): boolean {
		let holds = this.#verdicts.get(condition);
		if (holds === undefined) {
			holds = this.#look.find(condition).passed;
			this.#verdicts.set(condition, holds);
		}
		return holds;
	}

	/** Undefined if no entity has the field. */
	value({ sent, of, count, condition }: CompiledQuantity, agent: CompiledAgent): number | undefined {
		if (count !== undefined) return this.#all(count).length;
		if (condition !== undefined) return this.holds(condition) ? 1 : 0;
		if (sent.score != null) return this.#score(sent.score);
		const own = this.#all(agent.entity)[0];
		const ownNumber = own === undefined ? undefined : this.#number(own, sent.field!);
		const value = of === undefined ? ownNumber : this.#picked(this.#all(of), sent, own);
		if (!sent.relative) return value;
		return value === undefined || ownNumber === undefined ? undefined : value - ownNumber;
	}

	#all(filter: Condition): readonly number[] {
		let members = this.#members.get(filter);
		if (members === undefined) {
			members = this.#look.members(filter);
			this.#members.set(filter, members);
		}
		return members;
	}

	#number(id: number, field: string): number | undefined {
		this.#entity.id = id;
		return measure(field).of(this.#entity);
	}

	#picked(
		members: readonly number[],
		{ field, pick }: EnvironmentQuantity,
		own: number | undefined,
	): number | undefined {
		if (pick === 'first') return members[0] === undefined ? undefined : this.#number(members[0], field!);
		if (pick === 'nearest') {
			const near = this.#nearest(members, own);
			return near === undefined ? undefined : this.#number(near, field!);
		}
		const numbers = members
			.map((id) => this.#number(id, field!))
			.filter((candidate) => candidate !== undefined);
		if (numbers.length === 0) return undefined;
		if (pick === 'min') return Math.min(...numbers);
		if (pick === 'max') return Math.max(...numbers);
		const total = numbers.reduce((sum, number) => sum + number, 0);
		return pick === 'sum' ? total : total / numbers.length;
	}

	/** Of several that are equally near the first; without an agent the first of all. */
	#nearest(members: readonly number[], own: number | undefined): number | undefined {
		const from = own === undefined ? undefined : this.#position(own);
		if (from === undefined) return members[0];
		let best: number | undefined;
		let least = Number.POSITIVE_INFINITY;
		for (const id of members) {
			const to = this.#position(id);
			if (to === undefined || id === own) continue;
			const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
			const squared = x * x + y * y + z * z;
			if (squared < least) [best, least] = [id, squared];
		}
		return best;
	}

	#position(id: number): readonly [number, number, number] | undefined {
		this.#entity.id = id;
		return positionOf(this.#entity);
	}

	#score(team: number): number {
		const scores = matchState(this.#world)?.scores ?? [];
		return scores.reduce((sum, score) => (score.team === team ? sum + score.points : sum), 0);
	}
}
