/**
 * Saving a world as a file, opening a file, and links that carry a world.
 * Owns: the world in the address of the page. It saves or links one world at a time.
 */

import { signal } from '@preact/signals';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { formatBytes } from '../numbers.ts';
import type { PanelServices } from '../services.ts';
import type { Scenes } from '../start/scenes-state.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { type Document, type PackedWorld, pack, readAsset, unpack } from './packing.ts';
import {
	fileName,
	LINK_KEY,
	MAX_LINK,
	readFile,
	readFragment,
	writeFile,
	writeFragment,
} from './world-file.ts';

/** Says how a world opens of which a link has no room for the exact state. */
const START_WORDS = 'it opens at tick 0, because its exact state does not fit into a link; ';

/** Returns the fragment of the address, if it carries a world. */
function worldFragment(): string | null {
	const fragment = globalThis.location?.hash.slice(1) ?? '';
	return fragment.startsWith(LINK_KEY) ? fragment : null;
}

export class SharingState {
	/** Fragment of the address with a world that is not opened yet; null if there is none. */
	readonly offeredFragment = signal(worldFragment());
	/** Name of the work in progress; null if there is none. */
	readonly busy = signal<string | null>(null);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #scenes: Scenes;
	readonly #follow = (): void => {
		this.offeredFragment.value = worldFragment() ?? this.offeredFragment.value;
	};

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState, scenes: Scenes) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		this.#scenes = scenes;
		globalThis.addEventListener?.('hashchange', this.#follow);
	}

	/** Saves the selected world as a file of this browser. */
	save(): Promise<void> {
		return this.#packed('Saving', 'Save', async ({ document, assets }) => {
			const name = fileName(this.#nameOf(document));
			const text = writeFile({ scenario: document, assets: await Promise.all(assets.map(readAsset)) });
			download(name, text);
			this.#navigation.tell(`Saved ${name}.`, `${formatBytes(text.length)}; it needs nothing else.`);
		});
	}

	/** Copies a link that carries the selected world. */
	copyLink(): Promise<void> {
		return this.#packed('Packing', 'Link', async (exact) => {
			const refuse = (sentence: string, fix: string) => this.#navigation.refuse('Link', { sentence, fix });
			const whole = exact.assets.length === 0 ? await writeFragment(exact.document) : null;
			const isExact = whole !== null && whole.length <= MAX_LINK;
			const plain = isExact ? null : await pack(this.#services, this.#worlds.selected.value, false);
			if (plain?.ok === false) return this.#navigation.refuse('Link', plain.refusal);
			if ((plain?.body.assets.length ?? 0) > 0)
				return refuse('A link cannot carry files that were uploaded.', 'Save the world as a file.');
			const fragment = plain === null ? whole! : await writeFragment(plain.body.document);
			const size = formatBytes(fragment.length);
			if (fragment.length > MAX_LINK)
				return refuse(
					`The world needs ${size}, and a link carries at most ${formatBytes(MAX_LINK)}.`,
					'Save it as a file.',
				);
			await navigator.clipboard.writeText(`${location.href.split('#')[0]}#${fragment}`);
			const start = isExact ? '' : START_WORDS;
			this.#navigation.tell('The link is copied.', `${size}; ${start}${reachWords(location.hostname)}`);
		});
	}

	open(file: File): Promise<void> {
		const title = file.name.replace(/(\.orrery)?\.json$/, '');
		return this.#scenes.fill(title, async () => unpack(this.#services, readFile(await file.text())));
	}

	async openLink(): Promise<void> {
		const fragment = this.offeredFragment.value;
		if (fragment === null) return;
		await this.#scenes.openBeside('World of a link', async () =>
			unpack(this.#services, await readFragment(fragment)),
		);
		// Even if opening failed, the link is not offered again.
		this.offeredFragment.value = null;
	}

	dismiss(): void {
		this.offeredFragment.value = null;
		this.#navigation.go('start');
	}

	stop(): void {
		globalThis.removeEventListener?.('hashchange', this.#follow);
	}

	#nameOf({ name }: Document): string {
		return typeof name === 'string' && name !== '' ? name : this.#worlds.selected.value;
	}

	/** Does one thing with the selected world at a time; a failure is shown. */
	async #packed(words: string, what: string, work: (packed: PackedWorld) => Promise<void>): Promise<void> {
		if (this.busy.value !== null) return;
		this.busy.value = words;
		try {
			const packed = await pack(this.#services, this.#worlds.selected.value, true);
			if (packed.ok) await work(packed.body);
			else this.#navigation.refuse(what, packed.refusal);
		} catch (error) {
			const sentence = reasonOf(error);
			this.#navigation.refuse(what, { sentence, fix: '' });
		} finally {
			this.busy.value = null;
		}
	}
}

/** Returns a sentence about the places where a link to a host opens. */
export function reachWords(host: string): string {
	const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
	return isLocal
		? 'it opens only on this computer, because its address is here. "Save as a file" makes a copy that opens everywhere.'
		: `it opens a copy of this world for everybody who reaches ${host}.`;
}

function download(name: string, text: string): void {
	const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
