/**
 * Handlers of the tag Why: reasons why a rule fires, and why an entity reaches a goal, is visible, or died.
 * Owns: the time limit of a search, and the sentence of each answer. All changes are tried on copies.
 */

import { Dead } from '../../shared/components/dead.ts';
import { Mesh } from '../../shared/components/mesh.ts';
import { Path } from '../../shared/components/path.ts';
import { Rule } from '../../shared/components/rule.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { DEAD_CAUSES } from '../../shared/documents/causes.ts';
import * as routes from '../../shared/routes/why.ts';
import { writeCondition } from '../../shared/verbs/conditions/index.ts';
import { sayFiring } from '../../shared/verbs/conditions/reading.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { rebuildParts } from '../sim/core/derived-parts.ts';
import { entityAt, isAlive } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import { get, has, type World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { parseFilter } from '../sim/rules/conditions/filter.ts';
import { documentOf, ruleAt } from '../sim/rules/rule.ts';
import type { Candidate, ChangeRequest } from '../sim/why/candidate.ts';
import type { Cause } from '../sim/why/cause.ts';
import { type ChangeSearch, findSmallestChange } from '../sim/why/smallest-change.ts';
import { findDeathTick, OUTLIVES_TICKS, survivalCandidates } from '../sim/why/survival.ts';
import { fireCandidates, firesWithin, whyFire } from '../sim/why/why-fire.ts';
import { isSentTo, reachCandidates, reachesIn, whyReach } from '../sim/why/why-reach.ts';
import { visibleCandidates, whyVisible } from '../sim/why/why-visible.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { boxOf } from './bounds-of.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';
import type { LastDeath, Life } from './host-journal.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

/** Maximum time for trying changes, and for the first of them (ms). */
const MAX_MS = 8000;
const MAX_FIRST_MS = 24_000;

const NO_SEARCH: ChangeSearch = { change: null, tried: 0, finished: true };

/** Runs work on a copy of a world, whose derived parts are up to date. */
async function onCopy<T>(host: Host, world: World, work: (copy: World) => T | Promise<T>): Promise<T> {
	const copy = clone(world);
	try {
		await host.inSlices(rebuildParts(copy));
		return await work(copy);
	} finally {
		dispose(copy);
	}
}

/** Searches for the smallest change of the copy for which `isAltered` returns true. */
function search(
	host: Host,
	copy: World,
	tries: number,
	candidates: readonly Candidate[],
	isAltered: (changed: World) => SlicedWork<boolean> | boolean,
): Promise<ChangeSearch> | ChangeSearch {
	if (tries === 0) return NO_SEARCH;
	const beginTime = host.now();
	const isLate = (isFirst: boolean) => host.now() - beginTime > (isFirst ? MAX_FIRST_MS : MAX_MS);
	return host.inSlices(findSmallestChange(copy, candidates, isAltered, { tries, isLate }));
}

/** Returns a change with the calls that demonstrate it. */
function changeView(
	{ change, ...tries }: ChangeSearch,
	entry: WorldEntry,
	demonstration: { before?: ChangeRequest[]; after?: ChangeRequest[] } = {},
) {
	if (change === null) return { change: null, ...tries };
	const { request, ...search } = change;
	const world = demonstration.before === undefined ? entry.id : FORK;
	const requests = [
		...(demonstration.before ?? []),
		inWorld(request, world),
		...(demonstration.after ?? []).map((request) => inWorld(request, world)),
	];
	return {
		change: { ...search, requests: requests.map((request) => ({ ...request, body: { ...request.body } })) },
		...tries,
	};
}

/** Name of the fork in which the calls demonstrate a change in the past. */
const FORK = 'why';

const inWorld = (request: ChangeRequest, world: string): ChangeRequest =>
	world === 'main' || request.path.startsWith('/history')
		? request
		: { ...request, path: `${request.path}?world=${world}` };

const resultText = ({ change, tried, finished }: ChangeSearch, result: string, tries: number): string => {
	if (change === null && tried > 0 && !finished)
		return ` The search ended at ${tried >= tries ? 'its limit of' : 'the limit of time, after'} ${tried} changes of one field: none of them alters that, another may.`;
	if (change === null) return tried === 0 ? '' : ` None of ${tried} changes of one field alters that.`;
	const owner = change.id === null ? `the ${change.of}` : `${change.of} ${change.id}`;
	return ` With ${change.field} of ${owner} ${change.to} instead of ${change.from}, ${result}.`;
};

const causesIn = <C extends string>(causes: readonly Cause<C>[]) => causes.map((cause) => ({ ...cause }));

const firstText = (causes: readonly Cause[]): string => causes[0]?.text ?? '';

export const handlers = [
	handler(
		routes.whyFire,
		async ({ host, entry, world }, { params: { rule: id }, query: { ticks, tries } }) => {
			ruleAt(world, id);
			return onCopy(host, world, async (copy) => {
				const { when, filter, once, enabled } = documentOf(copy, id);
				const why = whyFire(copy, id);
				const fires_in = await onCopy(host, copy, (ahead) => host.inSlices(firesWithin(ahead, id, ticks)));
				const fires = fires_in !== null;
				const found = await search(host, copy, tries, fireCandidates(copy, id), function* (changed) {
					if (!has(changed, id, Rule)) return false;
					return ((yield* firesWithin(changed, id, ticks)) !== null) !== fires;
				});
				const begin = fires
					? `It fires in ${fires_in} ticks.`
					: `It does not fire within ${ticks} ticks. ${firstText(why.causes)}`;
				return {
					rule: id,
					name: why.name,
					answer: `${begin}${resultText(found, fires ? 'it does not fire in that time' : 'it fires', tries)}`,
					reading: sayFiring({ when, filter: parseFilter(filter) }),
					filter: writeCondition(parseFilter(filter)),
					passing: why.passing,
					enabled: enabled !== false,
					once,
					fired: why.fired,
					last_fired: why.last_fired,
					fires_in,
					parts: why.now.map(({ happens: _, ...part }) => ({
						...part,
						nearest: part.nearest && { ...part.nearest },
					})),
					causes: causesIn(why.causes),
					...warningsField([...why.warnings]),
					...changeView(found, entry),
					...stampOf(world),
				};
			});
		},
	),

	handler(routes.whyReach, async ({ host, entry, world }, { params, query: { to, ticks, tries } }) => {
		const { id } = entityAt(world, params.id);
		const goal = to == null ? get(world, id, Path)?.goal : pointIn(to);
		if (goal === undefined)
			throw new ApiError('bad_query', `Entity ${id} has no path, so its goal is unknown.`, {
				fix: 'Add ?to=x,y,z with the position that it should reach.',
				path: 'to',
			});
		return onCopy(host, world, async (copy) => {
			const why = await host.inSlices(whyReach(copy, id, goal, ticks));
			const found = why.reaches
				? NO_SEARCH
				: await search(host, copy, tries, reachCandidates(copy, id, why), (changed) =>
						reachesIn(changed, id, goal, ticks),
					);
			const target = goal.map(shortestFloat32) as [number, number, number];
			const walk: ChangeRequest = { method: 'POST', path: '/path/set', body: { entity_id: id, target } };
			const isWalking = isSentTo(copy, id, goal);
			const begin = why.reaches
				? `It gets there in ${why.ticks} ticks.`
				: `It does not get there within ${ticks} ticks. ${firstText(why.causes)}`;
			return {
				entity_id: id,
				to: target,
				answer: `${begin}${resultText(found, 'it gets there', tries)}`,
				reaches: why.reaches,
				ticks: why.ticks,
				length: why.length,
				speed: why.speed,
				walk: isWalking
					? null
					: { ...inWorld(walk, entry.id), method: 'POST' as const, body: { ...walk.body } },
				causes: causesIn(why.causes),
				...changeView(found, entry, { after: [walk] }),
				...stampOf(world),
			};
		});
	}),

	handler(routes.whyVisible, async ({ host, entry, world }, { params, query: { viewer, tries } }) => {
		const { id } = entityAt(world, params.id);
		const observer = viewer == null ? undefined : entityAt(world, viewer).id;
		return onCopy(host, world, async (copy) => {
			const box = await boxOf(host.assets, get(copy, id, Mesh)?.mesh);
			const why = whyVisible(copy, id, box, observer);
			const found = await search(
				host,
				copy,
				tries,
				visibleCandidates(copy, id, why.hiding),
				(changed) => whyVisible(changed, id, box, observer).visible !== why.visible,
			);
			return {
				entity_id: id,
				answer: `${firstText(why.causes)}${resultText(found, why.visible ? 'it is not in the picture' : 'it is in the picture', tries)}`,
				visible: why.visible,
				distance: why.distance,
				causes: causesIn(why.causes),
				...changeView(found, entry),
				...stampOf(world),
			};
		});
	}),

	handler(routes.whyDead, async ({ host, entry, world }, { params: { id }, query: { ticks, tries } }) => {
		const isHere = isAlive(world, id);
		const { death, removed, begin, finished } = await host.journal.lifeOf(
			{ world: entry.id, id, isHere },
			host.running,
		);
		if (death === null && removed === null && !isHere && finished) entityAt(world, id);
		const dead = isHere ? has(world, id, Dead) : null;
		const hits = death === null ? [] : await hitsOf(host, death);
		const causes = deathCauses(id, dead, { death, removed, begin }, hits);
		const found =
			death === null || tries === 0 ? null : await findRescue(host, entry, id, death, ticks, tries);
		const searched = found?.changeSearch ?? NO_SEARCH;
		const isSaved = found != null && searched.change !== null;
		const survivalText = isSaved
			? `set at tick ${found.tick}, it is still alive at tick ${found.until}, ${OUTLIVES_TICKS} ticks after its death`
			: '';
		return {
			entity_id: id,
			answer: `${firstText(causes)}${resultText(searched, survivalText, tries)}`,
			dead,
			died_at: death?.tick ?? null,
			entry: death?.entry ?? null,
			killer: death?.killer ?? null,
			health: (death?.health ?? []).map(([tick, current]) => ({ tick, current })),
			hits,
			hit_count: death?.hit_count ?? 0,
			rules: (death?.rules ?? []).map((rule) => ({ ...rule })),
			causes,
			lives_until: isSaved ? found.until : null,
			...changeView(searched, entry, found ?? {}),
			finished: finished && searched.finished,
			...stampOf(world),
		};
	}),
];

const pointIn = (text: string) => text.split(',').map(Number) as unknown as readonly [number, number, number];

/** Returns the hits before a death, each with the call that dealt it, if any. */
async function hitsOf(host: Host, { hits }: LastDeath) {
	const calls = new Map<number, { sender: string; method: string; path: string }>();
	for (const { entry, called } of hits) {
		if (!called || calls.has(entry)) continue;
		const { lines } = await host.journal.findLines(entry, 1, {}, host.running);
		const head = lines[0]?.head;
		if (lines[0]?.entry === entry && head?.kind === 'call')
			calls.set(entry, { sender: head.sender.name, method: head.method, path: head.path });
	}
	return hits.map(({ called, source_tags, ...hit }) => {
		const call = called ? calls.get(hit.entry) : undefined;
		return { ...hit, source_tags: [...source_tags], ...(call === undefined ? {} : { call }) };
	});
}

function deathCauses(
	id: number,
	dead: boolean | null,
	{ death, removed, begin }: Pick<Life, 'death' | 'removed' | 'begin'>,
	hits: Awaited<ReturnType<typeof hitsOf>>,
): Cause<(typeof DEAD_CAUSES)[number]>[] {
	const causes: Cause<(typeof DEAD_CAUSES)[number]>[] = [];
	if (death === null) {
		const since =
			begin === null
				? ''
				: ` since ${begin.call} put another world in place (entry ${begin.entry} of the history)`;
		if (removed !== null)
			causes.push({
				code: 'removed',
				text: `Entity ${id} did not die: it was removed by tick ${removed.tick} (entry ${removed.entry} of the history).`,
			});
		else if (dead === false)
			causes.push({
				code: 'alive',
				text: `Entity ${id} is alive, and the journal has no death of it${since}.`,
			});
		else
			causes.push({
				code: 'unknown',
				text: `The journal that was searched has no death of entity ${id}${since}.`,
			});
		return causes;
	}
	const rules = death.rules
		.map((rule) => `rule ${rule.id}${rule.name === null ? '' : ` "${rule.name}"`}`)
		.join(', ');
	const rulesText = rules === '' ? '' : ` Fired then: ${rules}.`;
	const deathText = `Entity ${id} died at tick ${death.tick}`;
	const last = hits.at(-1);
	if (last !== undefined && last.tick >= death.tick - 1) {
		const bySource =
			last.source === null
				? ''
				: ` from entity ${last.source}${last.source_tags.length > 0 ? ` (${last.source_tags.join(', ')})` : ''}`;
		const originText =
			last.call === undefined
				? bySource
				: `${bySource} by ${last.call.method} ${last.call.path} of "${last.call.sender}" (entry ${last.entry})`;
		causes.push({
			code: last.call === undefined ? 'damage' : 'damage_by_call',
			text: `${deathText}: the last of ${death.hit_count} hits was ${last.amount} damage${originText}.${last.call === undefined && last.source === null ? rulesText : ''}`,
			...(last.source === null ? {} : { entity_id: last.source }),
		});
	} else
		causes.push({
			code: 'health_lost',
			text: `${deathText} without damage: its health was set to ${death.health.at(-1)?.[1] ?? 0}.${rulesText}`,
		});
	if (dead === false) causes.push({ code: 'alive', text: 'It is alive again now.' });
	return causes;
}

/** A change that saves an entity from its death, and the calls that demonstrate it. */
interface Rescue {
	readonly changeSearch: ChangeSearch;
	/** Tick of the change. */
	readonly tick: number;
	/** Tick up to which the entity is known to live. */
	readonly until: number;
	readonly before: ChangeRequest[];
	readonly after: ChangeRequest[];
}

/** Searches for a change before a death that saves the entity. Returns null if the death does not follow from an earlier state alone. */
async function findRescue(
	host: Host,
	entry: WorldEntry,
	id: number,
	death: LastDeath,
	ticks: number,
	tries: number,
): Promise<Rescue | null> {
	const earliest = Math.max(death.tick - ticks, death.since, death.from_tick, 0);
	for (const tick of [earliest, earliest + 1]) {
		if (tick >= death.tick) break;
		const { bytes } = await host.findPastWorld({ world: entry.id, tick });
		const pastWorld = loadWorld(bytes, entry.world.assets);
		try {
			const entity = { id, generation: death.generation };
			const deathTick = await onCopy(host, pastWorld, (copy) =>
				host.inSlices(findDeathTick(copy, entity, death.tick)),
			);
			if (deathTick !== death.tick) continue;
			const sources = death.hits.flatMap(({ source }) => (source === null ? [] : [source]));
			const candidates = survivalCandidates(
				pastWorld,
				id,
				sources.reverse().filter((candidate) => isAlive(pastWorld, candidate)),
				death.rules.filter((rule) => has(pastWorld, rule.id, Rule)).map((rule) => rule.id),
			);
			const until = death.tick + OUTLIVES_TICKS;
			const searched = await search(host, pastWorld, tries, candidates, function* (changed) {
				return (yield* findDeathTick(changed, entity, until)) === null;
			});
			const fork = { fork_id: FORK, of: entry.id, tick };
			return {
				changeSearch: searched,
				tick,
				until,
				before: [{ method: 'POST', path: '/history/fork', body: fork }],
				after: [{ method: 'POST', path: '/step', body: { ticks: until - tick } }],
			};
		} finally {
			dispose(pastWorld);
		}
	}
	return null;
}
