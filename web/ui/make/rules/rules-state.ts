/**
 * The rules of the selected world, and the draft of a new rule.
 * Owns: the times of reading, and the calls that create, change and delete a rule. Never: reads while no panel shows rules.
 */

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { Answer, Body } from '../../../../shared/contract/route.ts';
import type { RouteAt } from '../../../../shared/routes/index.ts';
import type { listRules } from '../../../../shared/routes/rules.ts';
import type { EntitiesState } from '../../entities/entities-state.ts';
import { type PanelServices, showsWorld } from '../../services.ts';
import { ask, type Refusal } from '../../state/ask.ts';
import type { Navigation } from '../../state/navigation.ts';
import { paced } from '../../state/paced.ts';
import type { WorldsState } from '../../worlds/worlds-state.ts';

const REST_MS = 500;
const REST_FACTOR = 8;

/** A rule in the answer of GET /rule/list. */
export type ShownRule = Answer<typeof listRules>['rules'][number];

export interface RuleOutcome {
	readonly label: string;
	readonly weight: number | string;
	readonly do: readonly unknown[];
}

/** The editable parts of a rule. */
export interface RuleDraft {
	readonly name?: string | undefined;
	readonly when: unknown;
	readonly filter: unknown;
	readonly do?: readonly unknown[] | undefined;
	readonly outcomes?: readonly RuleOutcome[] | undefined;
	readonly priority: number;
	readonly on_failure?: 'continue' | 'stop' | undefined;
	readonly once: boolean;
	readonly enabled: boolean;
}

/** Names of the editable parts. */
const PARTS = [
	'name',
	'when',
	'filter',
	'do',
	'outcomes',
	'priority',
	'on_failure',
	'once',
	'enabled',
] as const;

/** Returns the editable parts of a rule. */
export const draftOf = (rule: ShownRule): RuleDraft =>
	Object.fromEntries(
		PARTS.flatMap((part) => (rule[part] === undefined ? [] : [[part, rule[part]]])),
	) as never;

/** Returns a draft with some parts changed. As in PATCH /rule/{id}, actions and outcomes replace each other. */
export function changedDraft(
	{ do: actions, outcomes, ...rest }: RuleDraft,
	change: Partial<RuleDraft>,
): RuleDraft {
	const replaces = change.do !== undefined || change.outcomes !== undefined;
	return { ...rest, ...(replaces ? {} : { do: actions, outcomes }), ...change };
}

const FRESH: RuleDraft = {
	when: { kind: 'timer', interval: 5 },
	filter: 'any',
	do: [{ action: 'emit', name: 'hello' }],
	priority: 0,
	once: false,
	enabled: true,
};

export interface Rules {
	readonly list: ReadonlySignal<readonly ShownRule[]>;
	/** True if the left pane lists rules instead of entities. */
	readonly isListed: Signal<boolean>;
	/** A new rule that no call has created yet; null without one. */
	readonly draft: Signal<RuleDraft | null>;
	/** The selected rule. */
	readonly selected: ReadonlySignal<ShownRule | null>;
	/** Begins a new rule. */
	begin(): void;
	/** Creates the rule and selects it. Resolves to the refusal, or to null. */
	create(draft: RuleDraft): Promise<Refusal | null>;
	/** Changes parts of a rule. Resolves to the refusal, or to null. */
	change(id: number, change: Partial<RuleDraft>): Promise<Refusal | null>;
	remove(id: number): Promise<void>;
	refresh(): void;
	stop(): void;
}

export function createRules(
	services: PanelServices,
	navigation: Navigation,
	worlds: WorldsState,
	entities: EntitiesState,
): Rules {
	const list = signal<readonly ShownRule[]>([]);
	const draft = signal<RuleDraft | null>(null);
	const isListed = signal(false);
	const readNow = async (): Promise<void> => {
		const world = worlds.selected.value;
		const outcome = await ask(services, 'GET', '/rule/list', { world, on: 'panels' });
		if (outcome.ok && world === worlds.selected.value) list.value = outcome.body.rules;
	};
	const reader = paced({ minRest: REST_MS, factor: REST_FACTOR }, readNow);
	const stamp = computed(() => {
		const selectedWorld = worlds.selectedInfo.value;
		return selectedWorld === null
			? null
			: `${selectedWorld.id} ${selectedWorld.tick} ${selectedWorld.digest}`;
	});
	const endings = [
		effect(() => {
			worlds.selected.value;
			untracked(() => {
				list.value = [];
				draft.value = null;
			});
		}),
		effect(() => {
			if (navigation.view.value !== 'make' || !showsWorld(services.holding.value) || stamp.value === null)
				return;
			untracked(() => reader.ask());
		}),
		effect(() => {
			if (entities.selectedId.value !== null) draft.value = null;
		}),
	];
	return {
		list,
		isListed,
		draft,
		selected: computed(() => {
			const id = entities.selectedId.value;
			return id === null || entities.selectedIds.value.length > 1
				? null
				: (list.value.find((rule) => rule.id === id) ?? null);
		}),
		begin() {
			entities.select(null);
			draft.value = FRESH;
		},
		async create(written) {
			const outcome = await ask(services, 'POST', '/rule/create', {
				world: worlds.selected.value,
				body: written as Body<RouteAt<'POST', '/rule/create'>>,
			});
			if (!outcome.ok) return outcome.refusal;
			await Promise.all([readNow(), entities.readNow()]);
			draft.value = null;
			entities.select(outcome.body.rule_id);
			return null;
		},
		async change(id, change) {
			const outcome = await ask(services, 'PATCH', '/rule/{id}', {
				params: { id },
				world: worlds.selected.value,
				body: change as Body<RouteAt<'PATCH', '/rule/{id}'>>,
			});
			if (!outcome.ok) return outcome.refusal;
			list.value = list.value.map((rule) => (rule.id === id ? outcome.body.rule : rule));
			return null;
		},
		async remove(id) {
			const outcome = await ask(services, 'DELETE', '/rule/{id}', {
				params: { id },
				world: worlds.selected.value,
			});
			if (!outcome.ok) return navigation.refuse('Delete', outcome.refusal);
			entities.select(null);
			await readNow();
			entities.refresh();
		},
		refresh: () => reader.ask(),
		stop() {
			for (const end of endings) end();
			reader.stop();
		},
	};
}
