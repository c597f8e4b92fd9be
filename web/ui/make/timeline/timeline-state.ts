/**
 * Views of the past: the picture of an earlier tick.
 * Owns: the fork that shows the tick. It is deleted when another tick or the present is shown, and when the page ends.
 */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type PanelServices, showsWorld } from '../../services.ts';
import { ask } from '../../state/ask.ts';
import type { Navigation } from '../../state/navigation.ts';
import { readForks } from '../../worlds/fork-list.ts';
import { isSamePageFork, registerPageFork, takeForksOfEndedPages } from '../../worlds/page-forks.ts';
import type { WorldsState } from '../../worlds/worlds-state.ts';

export interface Looking {
	/** World whose past is shown. */
	readonly of: string;
	readonly tick: number;
	/** Fork that shows the past, and its digest at its creation. */
	readonly fork: string;
	readonly digest: string;
}

export interface Timeline {
	readonly looking: ReadonlySignal<Looking | null>;
	/** The tick that is being restored; null without one. */
	readonly restoring: ReadonlySignal<number | null>;
	/** Pauses a world, and shows it as it was at a tick. */
	look(of: string, tick: number): Promise<void>;
	/** Shows the present again. */
	leave(): Promise<void>;
	/** Keeps the shown past as a fork, and selects it. */
	branch(): Promise<void>;
	stop(): void;
}

/** Creates a fork of the shown past, including changes made in it. Resolves to its id, or to null. */
function keepPast(
	{ forks, forking }: WorldsState,
	{ of, tick, fork, digest }: Looking,
): Promise<string | null> {
	const worldInfo = forks.value.find(({ id }) => id === fork);
	const isChanged = worldInfo !== undefined && worldInfo.digest !== digest;
	return isChanged
		? forking.branch(fork, forking.freeName('past'), { of, tick })
		: forking.branchAt(of, { tick });
}

const deleteFork = (services: PanelServices, id: string) =>
	ask(services, 'DELETE', '/fork/{id}', { params: { id } });

/** Deletes the forks of pages that have ended without it. */
async function deleteForksOfEndedPages(services: PanelServices): Promise<void> {
	const ended = await takeForksOfEndedPages(services.kept);
	if (ended.length === 0) return;
	const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
	if (!listed.ok) return;
	for (const fork of readForks(listed.body))
		if (ended.some((pageFork) => isSamePageFork(pageFork, fork))) await deleteFork(services, fork.id);
}

export function createTimeline(
	services: PanelServices,
	navigation: Navigation,
	worlds: WorldsState,
): Timeline {
	const looking = signal<Looking | null>(null);
	const restoring = signal<number | null>(null);
	/** The latest request while another tick is restored. */
	let next: readonly [of: string, tick: number] | null = null;
	/** Functions that release a fork of this page, by its id. */
	const held = new Map<string, () => void>();
	const drop = async ({ fork }: Looking): Promise<void> => {
		const outcome = await deleteFork(services, fork);
		// One that could not be deleted is deleted by the next page.
		if (outcome.ok) held.get(fork)?.();
		held.delete(fork);
	};

	const show = async (of: string, tick: number): Promise<void> => {
		const before = looking.value;
		const fork = worlds.forking.freeName('look');
		const outcome = await ask(services, 'POST', '/history/fork', { body: { fork_id: fork, of, tick } });
		if (!outcome.ok) return navigation.refuse('Look back', outcome.refusal);
		held.set(fork, registerPageFork(services.kept, { id: fork, parent: of, parentTick: outcome.body.tick }));
		looking.value = { of, tick, fork, digest: outcome.body.state_digest };
		await worlds.lookAt(fork);
		if (before !== null) await drop(before);
	};

	// A page that ends sends a last call. Without a server, the next page deletes its fork.
	const leavePage = (): void => {
		const now = looking.value;
		if (now !== null) services.callLast('DELETE', `/fork/${encodeURIComponent(now.fork)}`);
	};
	globalThis.addEventListener?.('pagehide', leavePage);

	let isSwept = false;
	const endSweep = effect(() => {
		if (isSwept || worlds.main.value === null || !showsWorld(services.holding.value)) return;
		isSwept = true;
		void deleteForksOfEndedPages(services);
	});

	const end = effect(() => {
		const selected = worlds.selected.value;
		untracked(() => {
			const now = looking.value;
			if (now === null || restoring.value !== null || selected === now.fork) return;
			// Another world was chosen.
			looking.value = null;
			void drop(now);
		});
	});

	return {
		looking,
		restoring,
		async look(of, tick) {
			next = [of, tick];
			if (restoring.value !== null) return;
			while (next !== null) {
				const [world, at]: readonly [string, number] = next;
				next = null;
				restoring.value = at;
				if (worlds.infoOf(world)?.playing === true) await worlds.time.pauseAll([world]);
				await show(world, at);
			}
			restoring.value = null;
		},
		async leave() {
			const now = looking.value;
			if (now === null) return;
			looking.value = null;
			worlds.select(now.of);
			await drop(now);
		},
		async branch() {
			const now = looking.value;
			if (now === null) return;
			looking.value = null;
			const result = await keepPast(worlds, now);
			if (result === null) looking.value = now;
			else await drop(now);
		},
		stop() {
			end();
			endSweep();
			globalThis.removeEventListener?.('pagehide', leavePage);
		},
	};
}
