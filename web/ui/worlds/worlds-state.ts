/**
 * The worlds, and the one that the panels show: main from the status, forks from GET /fork/list.
 * Owns: the selected world, and the times of listing forks. Never: lists them again without a change. `time` steps worlds, and
 * `forking` creates and deletes forks.
 */

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { CallRecord } from '../../frames/frames.ts';
import { senderOf } from '../calls/call-ring.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Doings } from '../state/doings.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import { MAIN, readForks, type WorldInfo } from './fork-list.ts';
import { storedMarks, storeMarks } from './fork-marks.ts';
import { Forking } from './forking.ts';
import { undoWords } from './undo-words.ts';
import { WorldTime } from './world-time.ts';

/** Minimum interval of listing forks (ms). */
const REFRESH_MS = 500;

const onlyReads = (call: CallRecord): boolean => call.method === 'GET' || senderOf(call).kind === 'panels';

const isSame = (a: WorldInfo | null, b: WorldInfo): boolean =>
	a !== null && (Object.keys(b) as (keyof WorldInfo)[]).every((key) => a[key] === b[key]);

const mayWrite = (call: CallRecord): boolean =>
	!onlyReads(call) && !/^\/(observe|peek|screenshot)\b/.test(call.path);

/** Returns true if a call may have changed a fork or the list of them. */
function touchesForks(call: CallRecord): boolean {
	if (!mayWrite(call)) return false;
	// A batch can change any world.
	return call.world !== MAIN || /^\/(fork|batch)\b/.test(call.path);
}

export class WorldsState {
	readonly time: WorldTime;
	readonly forking: Forking;
	readonly main = computed(() => this.#readMain());
	/** The selected world, or null before the first status. */
	readonly selectedInfo = computed(() => this.infoOf(this.selected.value));
	/** Id of the selected world. */
	readonly selected = signal(MAIN);
	readonly forks = signal<readonly WorldInfo[]>([]);
	/** Increases when a world may have changed, but not for calls that only read. */
	readonly changes = signal(0);
	/** Number of calls that are being undone or redone. */
	readonly turning = signal(0);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #doings: Doings;
	readonly #list = paced({ minRest: REFRESH_MS }, () => this.#readForks());
	readonly #endStatus: () => void;
	/** Main in the last read. */
	#lastMain: WorldInfo | null = null;
	/** Main at the last count of changes. */
	#lastSeen: WorldInfo | null = null;
	/** Number of calls that may have changed a world; under `/batch`, of those that may have changed any. */
	readonly #writes = new Map<string, number>();
	/** Names of the forks in the last status. */
	#names: readonly string[] = [];
	#isFirstList = true;

	constructor(services: PanelServices, navigation: Navigation, doings: Doings) {
		this.#services = services;
		this.#navigation = navigation;
		this.#doings = doings;
		this.time = new WorldTime(services, navigation, this);
		this.forking = new Forking(services, navigation, this);
		this.#endStatus = effect(() => this.#takeStatus());
	}

	/** Returns a world by its id; null if it is not listed. */
	infoOf(id: string): WorldInfo | null {
		return id === MAIN ? this.main.value : (this.forks.value.find((fork) => fork.id === id) ?? null);
	}

	/** Returns a text that changes with a world. Digests omit what is only seen, such as the sky, so writes count too. */
	readonly stampOf = ({ id, digest }: WorldInfo): string =>
		`${digest} ${this.#writes.get(id) ?? 0} ${this.#writes.get('/batch') ?? 0}`;

	select(id: string): void {
		this.selected.value = id;
	}

	/** Selects a new fork after listing the forks, because an unlisted fork counts as deleted. */
	async lookAt(id: string): Promise<void> {
		const listed = await ask(this.#services, 'GET', '/fork/list', { on: 'panels' });
		if (listed.ok)
			batch(() => {
				this.#setForks(listed.body);
				if (this.forks.value.some((fork) => fork.id === id)) this.selected.value = id;
			});
		this.refresh();
	}

	/** Lists the forks again soon. */
	refresh(): void {
		this.#list.ask();
	}

	/** Undoes or redoes the last call of this person to the selected world. */
	async undo(redo: boolean): Promise<void> {
		const world = this.selected.value;
		this.turning.value++;
		const outcome = await ask(this.#services, 'POST', redo ? '/redo' : '/undo', { world });
		this.turning.value--;
		if (!outcome.ok) return this.#navigation.refuse(redo ? 'Redo' : 'Undo', outcome.refusal);
		const words = this.#doings.recordTurn(world, outcome.body.call, redo);
		this.#navigation.tell(...undoWords(outcome.body, redo, words));
		if (world !== MAIN) this.refresh();
	}

	stop(): void {
		this.#endStatus();
		this.#list.stop();
	}

	#readMain(): WorldInfo | null {
		const status = this.#services.status.value;
		if (status === null) return null;
		const now = {
			id: MAIN,
			name: status.world_name,
			parent: null,
			parentTick: 0,
			parentGone: false,
			tick: status.tick,
			digest: status.state_digest,
			entityCount: status.entity_count,
			ruleCount: status.rule_count,
			playing: status.playing,
			mark: -1,
		};
		// The status also comes for calls that read.
		if (!isSame(this.#lastMain, now)) this.#lastMain = now;
		return this.#lastMain;
	}

	#takeStatus(): void {
		const status = this.#services.status.value;
		const seen = this.main.value;
		if (status === null) return;
		const isRead = seen === this.#lastSeen && status.calls.length > 0 && status.calls.every(onlyReads);
		this.#lastSeen = seen;
		const before = this.#names;
		const isChanged = before.join('/') !== status.forks.join('/') || status.calls.some(touchesForks);
		const selected = this.selected.peek();
		this.#names = status.forks;
		for (const { path, world } of status.calls.filter(mayWrite)) {
			const written = path.startsWith('/batch') ? '/batch' : (/^\/fork\/([^/?]+)/.exec(path)?.[1] ?? world);
			this.#writes.set(written, (this.#writes.get(written) ?? 0) + 1);
		}
		untracked(() => {
			// This precedes all reads of the fork. The status may not list a new fork yet, which must stay selected.
			if (before.includes(selected) && !status.forks.includes(selected)) this.#leave(selected);
			if (!isRead) this.changes.value++;
			if (isChanged) this.refresh();
		});
	}

	async #readForks(): Promise<void> {
		const outcome = await ask(this.#services, 'GET', '/fork/list', { on: 'panels' });
		if (outcome.ok) {
			this.#setForks(outcome.body);
			this.#leaveGone();
		}
		// A fork that plays changes without a call.
		if (this.forks.value.some(({ playing }) => playing)) this.refresh();
	}

	#setForks(listed: unknown): void {
		const { kept } = this.#services;
		this.forks.value = readForks(listed, this.#isFirstList ? storedMarks(kept) : this.forks.value);
		this.#isFirstList = false;
		storeMarks(kept, this.forks.value);
	}

	/** Selects main if the selected fork is deleted. */
	#leaveGone(): void {
		const id = this.selected.value;
		if (id !== MAIN && !this.forks.value.some((fork) => fork.id === id)) this.#leave(id);
	}

	/** Selects main instead of a deleted fork. */
	#leave(id: string): void {
		this.selected.value = MAIN;
		this.#navigation.refuse('World', {
			sentence: `The fork "${id}" no longer exists.`,
			fix: 'The panels now show main.',
		});
	}
}
