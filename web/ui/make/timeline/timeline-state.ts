/**
 * Looking back: the picture of a tick that has passed.
 * Owns: the fork that shows it, which is deleted when another tick, or the present, is looked at, and when the page ends.
 */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type PanelServices, showsWorld } from '../../services.ts';
import { ask } from '../../state/ask.ts';
import type { Navigation } from '../../state/navigation.ts';
import { readForks } from '../../worlds/fork-list.ts';
import { forksOfEndedPages, holdFork, isSamePageFork } from '../../worlds/page-forks.ts';
import type { WorldsState } from '../../worlds/worlds-state.ts';

export interface Looking {
	/** World whose past is looked at. */
	readonly of: string;
	readonly tick: number;
	/** Fork that shows it, and its digest when it was made. */
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
	/** Keeps the past that is shown as a fork, and shows that. */
	branch(): Promise<void>;
	stop(): void;
}

/** Makes a fork of the past that is looked at, with all that was changed in it meanwhile. Resolves to its id, or null. */
function keepPast(
	{ forks, forking }: WorldsState,
	{ of, tick, fork, digest }: Looking,
): Promise<string | null> {
	const worldInfo = forks.value.find(({ id }) => id === fork);
	const isChanged = worldInfo !== undefined && worldInfo.digest !== digest;
	return isChanged ? forking.branch(fork, forking.freeName('past')) : forking.branchAt(of, { tick });
}

const deleteFork = (services: PanelServices, id: string) =>
	ask(services, 'DELETE', '/fork/{id}', { params: { id } });

/** Deletes the forks of pages that have ended without it. */
async function sweepForks(services: PanelServices): Promise<void> {
	const ended = await forksOfEndedPages(services.kept);
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
	/** The last one that was asked for while another is restored. */
	let next: readonly [of: string, tick: number] | null = null;
	/** Functions that end the belonging of a fork to this page, by its id. */
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
		held.set(fork, holdFork(services.kept, { id: fork, parent: of, parentTick: outcome.body.tick }));
		looking.value = { of, tick, fork, digest: outcome.body.state_digest };
		await worlds.lookAt(fork);
		if (before !== null) await drop(before);
	};

	// A page that ends tells the server, if there is one; otherwise the next page deletes its fork.
	const leavePage = (): void => {
		const now = looking.value;
		if (now !== null) services.callLast('DELETE', `/fork/${encodeURIComponent(now.fork)}`);
	};
	globalThis.addEventListener?.('pagehide', leavePage);

	let isSwept = false;
	const endSweep = effect(() => {
		if (isSwept || worlds.main.value === null || !showsWorld(services.holding.value)) return;
		isSwept = true;
		void sweepForks(services);
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
