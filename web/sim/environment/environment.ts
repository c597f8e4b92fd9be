/**
 * The environment of a world for learning agents.
 * Owns: the declaration, and the values computed from it: observations, terms of rewards, and ends.
 * View scope: it reads the world and changes nothing.
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

/** Returns the declared environment. Throws `no_environment`. */
export function environmentOf(world: World): EnvironmentDocument {
	const environment = declaredEnvironment(world);
	if (environment === undefined) throw new ApiError('no_environment', 'This world declares no environment.');
	return environment;
}

/** Declares an environment, or removes it (null). Throws `invalid_assertion` for an invalid condition. */
export function setEnvironment(world: World, document: EnvironmentDocument | null): void {
	if (document !== null) compiledOf(document);
	setResource(world, Environment, document);
}

/** A quantity with its filters and its condition in typed form. */
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

interface CompiledEnvironment {
	readonly agents: readonly CompiledAgent[];
	readonly terminated: Condition | undefined;
	readonly truncated: Condition | undefined;
	/** Every condition and filter, once. */
	readonly conditions: readonly Condition[];
}

/** Compiled environments. Conditions are parsed once for all worlds that share a declaration. */
const compiledByDocument = new WeakMap<EnvironmentDocument, CompiledEnvironment>();

function compiledOf(document: EnvironmentDocument): CompiledEnvironment {
	let compiled = compiledByDocument.get(document);
	if (compiled === undefined) {
		compiled = compileEnvironment(document);
		compiledByDocument.set(document, compiled);
	}
	return compiled;
}

function compileEnvironment(document: EnvironmentDocument): CompiledEnvironment {
	/** Conditions by their text. Equal texts become one condition, which is evaluated once. */
	const cache = new Map<string, Condition>();
	const readOnce = (sent: unknown, read: () => Condition): Condition => {
		const key = JSON.stringify(sent);
		const condition = cache.get(key) ?? read();
		cache.set(key, condition);
		return condition;
	};
	type QuantityFilter = NonNullable<EnvironmentQuantity['of']>;
	type QuantityCondition = NonNullable<EnvironmentQuantity['condition']>;
	const readFilter = (sent: QuantityFilter | null | undefined, path: string) =>
		sent == null ? undefined : readOnce(['filter', sent], () => filterOf(sent, path));
	const readUntil = (sent: QuantityCondition | null | undefined, path: string) =>
		sent == null ? undefined : readOnce(['condition', sent], () => untilCondition(sent, path));
	const compileQuantity = (sent: EnvironmentQuantity, path: string): CompiledQuantity => ({
		sent,
		of: readFilter(sent.of, `${path}.of`),
		count: readFilter(sent.count, `${path}.count`),
		condition: readUntil(sent.condition, `${path}.condition`),
	});
	const agents = document.agents.map(({ name, entity, observation, reward }, i) => {
		const pathOfList = (ownList: unknown, list: string) => (ownList == null ? list : `agents[${i}].${list}`);
		return {
			name,
			entity: readFilter(entity, `agents[${i}].entity`)!,
			observation: (observation ?? document.observation).map((item, k) => ({
				...compileQuantity(item, `${pathOfList(observation, 'observation')}[${k}]`),
				low: item.low,
				high: item.high,
				missing: item.missing,
			})),
			reward: (reward ?? document.reward).map((item, k) => ({
				...compileQuantity(item, `${pathOfList(reward, 'reward')}[${k}]`),
				weight: item.weight,
				change: item.change,
			})),
		};
	});
	const terminated = readUntil(document.terminated, 'terminated');
	const truncated = readUntil(document.truncated, 'truncated');
	return { agents, terminated, truncated, conditions: [...cache.values()] };
}

/** Returns the entity of each agent, or null. */
export function agentEntities(world: World, document: EnvironmentDocument): (number | null)[] {
	const look = new ConditionLook(world);
	return compiledOf(document).agents.map(({ entity }) => look.members(entity)[0] ?? null);
}

/**
 * Returns the current state of a world's environment. Throws `no_environment`, and `too_many_actions` if its conditions
 * take too long.
 */
export function environmentState(world: World): EnvironmentState {
	const { agents, terminated, truncated, conditions } = compiledOf(environmentOf(world));
	requireFewLooks(world, conditions);
	const reader = new EnvironmentReader(world);
	const weightedSum = (agent: CompiledAgent, change: boolean) =>
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
		potential: agents.map((agent) => weightedSum(agent, true)),
		bonus: agents.map((agent) => weightedSum(agent, false)),
		terminated: terminated !== undefined && reader.holds(terminated),
		truncated: truncated !== undefined && reader.holds(truncated),
	};
}

/** Reads quantities of one world. It evaluates each filter and each condition once. */
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

	/** Returns true if a condition currently holds. */
	holds(condition: Condition): boolean {
		let isMet = this.#verdicts.get(condition);
		if (isMet === undefined) {
			isMet = this.#look.find(condition).passed;
			this.#verdicts.set(condition, isMet);
		}
		return isMet;
	}

	/** Returns the value of a quantity for an agent; undefined if no entity has the field. */
	value({ sent, of, count, condition }: CompiledQuantity, agent: CompiledAgent): number | undefined {
		if (count !== undefined) return this.#membersOf(count).length;
		if (condition !== undefined) return this.holds(condition) ? 1 : 0;
		if (sent.score != null) return this.#scoreOf(sent.score);
		const agentId = this.#membersOf(agent.entity)[0];
		const agentValue = agentId === undefined ? undefined : this.#measureOf(agentId, sent.field!);
		const value = of === undefined ? agentValue : this.#pickValue(this.#membersOf(of), sent, agentId);
		if (!sent.relative) return value;
		return value === undefined || agentValue === undefined ? undefined : value - agentValue;
	}

	#membersOf(filter: Condition): readonly number[] {
		let members = this.#members.get(filter);
		if (members === undefined) {
			members = this.#look.members(filter);
			this.#members.set(filter, members);
		}
		return members;
	}

	#measureOf(id: number, field: string): number | undefined {
		this.#entity.id = id;
		return measure(field).of(this.#entity);
	}

	#pickValue(
		members: readonly number[],
		{ field, pick }: EnvironmentQuantity,
		agentId: number | undefined,
	): number | undefined {
		if (pick === 'first') return members[0] === undefined ? undefined : this.#measureOf(members[0], field!);
		if (pick === 'nearest') {
			const nearest = this.#findNearest(members, agentId);
			return nearest === undefined ? undefined : this.#measureOf(nearest, field!);
		}
		const numbers = members
			.map((id) => this.#measureOf(id, field!))
			.filter((candidate) => candidate !== undefined);
		if (numbers.length === 0) return undefined;
		if (pick === 'min') return Math.min(...numbers);
		if (pick === 'max') return Math.max(...numbers);
		const total = numbers.reduce((sum, number) => sum + number, 0);
		return pick === 'sum' ? total : total / numbers.length;
	}

	/** Returns the member nearest to the agent, the first one of equals. Without a position of the agent, returns the first. */
	#findNearest(members: readonly number[], agentId: number | undefined): number | undefined {
		const from = agentId === undefined ? undefined : this.#positionOf(agentId);
		if (from === undefined) return members[0];
		let best: number | undefined;
		let leastSquare = Number.POSITIVE_INFINITY;
		for (const id of members) {
			const to = this.#positionOf(id);
			if (to === undefined || id === agentId) continue;
			const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
			const square = x * x + y * y + z * z;
			if (square < leastSquare) [best, leastSquare] = [id, square];
		}
		return best;
	}

	#positionOf(id: number): readonly [number, number, number] | undefined {
		this.#entity.id = id;
		return positionOf(this.#entity);
	}

	#scoreOf(team: number): number {
		const scores = matchState(this.#world)?.scores ?? [];
		return scores.reduce((sum, score) => (score.team === team ? sum + score.points : sum), 0);
	}
}
