/**
 * The tools of the view Make: the chosen tool and its step.
 * Owns: the settings, signs and zones that the view shows. `actions` changes entities, and picture-edits.ts sends edits in the
 * picture.
 */

import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { EditOutline, Sign, ToolName, ToolSettings } from '../../render/messages.ts';
import type { EntitiesState } from '../entities/entities-state.ts';
import type { Vector } from '../entities/entity.ts';
import { signsOf } from '../entities/shown-selection.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { Brush } from './brush.ts';
import { EditSender } from './edit-sender.ts';
import { EntityActions } from './entity-actions.ts';
import type { Item } from './library-items.ts';
import { patrolsOf } from './patrols.ts';
import { sendPictureEdits } from './picture-edits.ts';
import type { Rules } from './rules/rules-state.ts';
import { ruleZones, zonesOf } from './zones.ts';

/** Steps of the tools, in metres, degrees and shares of a size. */
export type Steps = Readonly<Record<'move' | 'turn' | 'scale', number>>;

/** Heights in the picture at which a place for a thing is searched, as shares from its top. */
const DOWNWARDS = [0.5, 0.65, 0.8, 0.95] as const;

/** Parts of the panels that the tools use. */
export interface ToolsServices {
	readonly services: PanelServices;
	readonly navigation: Navigation;
	readonly worlds: WorldsState;
	readonly entities: EntitiesState;
	readonly rules: Rules;
	readonly canvas: HTMLCanvasElement;
}

export class Tools {
	readonly tool = signal<ToolName>('select');
	readonly space = signal<'world' | 'local'>('world');
	/** True if the tools use steps. */
	readonly isStepped = signal(true);
	readonly steps = signal<Steps>({ move: 0.5, turn: 15, scale: 0.1 });
	readonly brush = signal<Brush>({ op: 'raise', radius: 3, amount: 0.5, layer: 'sand', plant: 'grass' });
	/** Text with the distance of the drag; null without a drag. */
	readonly dragging = signal<string | null>(null);
	readonly actions: EntityActions;
	readonly #panels: ToolsServices;
	readonly #settings = steady(() => this.#readSettings());
	readonly #endings: readonly (() => void)[];

	constructor(panels: ToolsServices) {
		this.#panels = panels;
		const { services, navigation, worlds, entities } = panels;
		const sender = new EditSender(services, navigation, worlds, entities);
		this.actions = new EntityActions({ ...panels, sender, placeFor: (item, at) => this.#placeFor(item, at) });
		this.#endings = [
			...this.#directView(),
			...sendPictureEdits({ ...panels, sender, brush: this.brush }),
			effect(() =>
				services.view.value?.onDragging((words) => {
					this.dragging.value = words;
				}),
			),
		];
	}

	choose(name: ToolName): void {
		this.tool.value = name;
	}

	/** Cancels a drag, or else selects the tool `select`. Returns false if neither was necessary. */
	back(): boolean {
		if (untracked(() => this.dragging.value) !== null) this.#panels.services.view.value?.cancel();
		else if (this.tool.value !== 'select') this.tool.value = 'select';
		else return false;
		return true;
	}

	stop(): void {
		for (const end of this.#endings) end();
	}

	/** Returns the settings for the view; null outside of Make. */
	#readSettings(): ToolSettings | null {
		const { navigation, services, entities } = this.#panels;
		if (navigation.view.value !== 'make' || !showsWorld(services.holding.value)) return null;
		const isLocked = entities.chosen.value.some((entity) => entities.locks.has(entity));
		const isBrush = this.tool.value === 'brush';
		// Locked entities have no handles.
		const tool = isLocked && !isBrush ? 'select' : this.tool.value;
		const isSteppable = tool !== 'select' && tool !== 'brush';
		const step = isSteppable && this.isStepped.value ? this.steps.value[tool] : null;
		return { tool, space: this.space.value, step, radius: this.brush.value.radius };
	}

	/** Returns the place of a thing at a point of the picture, or near its middle; without a picture, the origin. */
	async #placeFor({ room }: Item, at: readonly [number, number] | null): Promise<Vector> {
		const { services, canvas } = this.#panels;
		const view = services.view.value;
		const { clientWidth: width, clientHeight: height } = canvas;
		const step = this.isStepped.value ? this.steps.value.move : null;
		// The sky may be in the middle. Then there is ground below it in the picture.
		const points = at !== null ? [at] : DOWNWARDS.map((down) => [width / 2, height * down] as const);
		for (const [x, y] of view === null || width === 0 ? [] : points) {
			const position = await view!.land(x, y, room, step);
			if (position !== null) return position;
		}
		return [0, -room.least[1], 0];
	}

	#directView(): readonly (() => void)[] {
		const { services, entities, rules } = this.#panels;
		const { view } = services;
		const signs = this.#inMake((): readonly Sign[] => [
			...signsOf(entities.list.value),
			...ruleZones(rules.list.value, entities.list.value).map(({ zone, rule: { id, generation } }) => ({
				id,
				generation,
				kind: 'rule' as const,
				position: zone.position,
			})),
		]);
		const outlines = this.#inMake((): readonly EditOutline[] => [
			...zonesOf(entities.list.value, rules.list.value, new Set(entities.selectedIds.value)),
			...patrolsOf(entities.chosen.value),
		]);
		return [
			effect(() => view.value?.setTool(this.#settings.value)),
			effect(() => view.value?.setSigns(signs.value)),
			effect(() => view.value?.setOutlines(outlines.value)),
		];
	}

	/** Returns a list that is empty outside of Make. */
	#inMake<T>(read: () => readonly T[]): ReadonlySignal<readonly T[]> {
		return steady(() => (this.#settings.value === null ? [] : read()));
	}
}

/**
 * Returns a computed value that keeps its identity while its contents are equal. The view redraws for each new list, and ends
 * a drag for each new setting.
 */
function steady<T>(read: () => T): ReadonlySignal<T> {
	let before: T | undefined;
	return computed(() => {
		const now = read();
		if (before === undefined || JSON.stringify(now) !== JSON.stringify(before)) before = now;
		return before;
	});
}
