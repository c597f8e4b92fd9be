/**
 * Saving a world as a file, opening one, and links that carry a world.
 * Owns: which assets go along, and the world that the address of the page carries.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import { isShipped } from '../../../shared/documents/shipped.ts';
import { formatBytes } from '../numbers.ts';
import type { PanelServices } from '../services.ts';
import type { Requests, Scenes } from '../start/scenes-state.ts';
import { scenarioRequest } from '../start/scenes-state.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import {
	type FileAsset,
	fileName,
	LINK_KEY,
	MAX_LINK,
	readFile,
	readFragment,
	toBase64,
	type WorldFile,
	writeFile,
	writeFragment,
} from './world-file.ts';

export interface Sharing {
	/** Fragment of the address, if it carries a world that was not opened yet. */
	readonly offered: ReadonlySignal<string | null>;
	/** Work in progress, in words; null for none. */
	readonly busy: ReadonlySignal<string | null>;
	/** Saves the selected world as a file of this browser. */
	save(): Promise<void>;
	/** Copies a link that carries the selected world. */
	copyLink(): Promise<void>;
	open(file: File): Promise<void>;
	openOffered(): Promise<void>;
	dismiss(): void;
	stop(): void;
}

type Document = Readonly<Record<string, unknown>>;

interface UsedAsset {
	readonly hash: string;
	readonly media_type: string;
	readonly names: readonly string[];
}

/** All texts in a value. */
function textsIn(value: unknown, found: Set<string>): Set<string> {
	if (typeof value === 'string') found.add(value);
	else if (typeof value === 'object' && value !== null)
		for (const part of Object.values(value)) textsIn(part, found);
	return found;
}

export function createSharing(
	services: PanelServices,
	navigation: Navigation,
	worlds: Worlds,
	scenes: Scenes,
): Sharing {
	const busy = signal<string | null>(null);
	const carried = (): string | null => {
		const fragment = globalThis.location?.hash.slice(1) ?? '';
		return fragment.startsWith(LINK_KEY) ? fragment : null;
	};
	const offered = signal(carried());
	const follow = (): void => {
		offered.value = carried() ?? offered.value;
	};
	globalThis.addEventListener?.('hashchange', follow);

	const refused = (what: string, sentence: string, fix = ''): void =>
		navigation.refuse(what, { sentence, fix });

	/** The selected world as a document; null when it was refused. */
	const scenario = async (what: string, exact: boolean): Promise<Document | null> => {
		const outcome = await ask(services, 'GET', '/scenario', {
			query: exact ? {} : { exact: 'false', unset: 'false' },
			world: worlds.selected.value,
			on: 'panels',
		});
		if (outcome.ok) return outcome.body;
		navigation.refuse(what, outcome.refusal);
		return null;
	};

	/** Assets that a document names and that do not come with the program; a refusal if they cannot be read. */
	const assetsOf = async (document: Document): Promise<readonly UsedAsset[] | Refusal> => {
		const listed = await ask(services, 'GET', '/asset/list', { on: 'panels' });
		if (!listed.ok) return listed.refusal;
		const texts = textsIn(document, new Set());
		return listed.body.assets.filter(
			({ hash, names }) =>
				!names.some(isShipped) && (texts.has(hash) || names.some((name) => texts.has(name))),
		);
	};

	const bytesOf = async ({ hash, media_type, names }: UsedAsset): Promise<FileAsset> => {
		const answer = await fetch(`asset/${hash}`, { headers: { accept: media_type } });
		if (!answer.ok) throw new Error(`the asset "${names[0] ?? hash}" cannot be read (${answer.status}).`);
		return { name: names[0] ?? null, data: await toBase64(await answer.blob()) };
	};

	/** Does one thing at a time; a failure is shown. */
	const alone = async (words: string, what: string, work: () => Promise<void>): Promise<void> => {
		if (busy.value !== null) return;
		busy.value = words;
		try {
			await work();
		} catch (error) {
			refused(what, error instanceof Error ? error.message : String(error));
		} finally {
			busy.value = null;
		}
	};

	const nameOf = (document: Document): string =>
		typeof document.name === 'string' && document.name !== '' ? document.name : worlds.selected.value;

	/** Stores the assets of a file, and answers the calls that make a world of it. Rejects with a sentence. */
	const requestsOf = async ({ scenario: document, assets }: WorldFile): Promise<Requests> => {
		// A batch takes no uploads.
		for (const { name, data } of assets) {
			const stored = await ask(services, 'POST', '/asset/upload', {
				query: name === null ? {} : { name },
				body: { data },
			});
			if (!stored.ok) throw new Error(`${stored.refusal.sentence} ${stored.refusal.fix}`);
		}
		return [scenarioRequest(document)];
	};

	return {
		offered,
		busy,
		save: () =>
			alone('Saving', 'Save', async () => {
				const document = await scenario('Save', true);
				if (document === null) return;
				const used = await assetsOf(document);
				if ('sentence' in used) return navigation.refuse('Save', used);
				const text = writeFile({ scenario: document, assets: await Promise.all(used.map(bytesOf)) });
				download(fileName(nameOf(document)), text);
				navigation.tell(
					`Saved ${fileName(nameOf(document))}.`,
					`${formatBytes(text.length)}; it needs nothing else.`,
				);
			}),
		copyLink: () =>
			alone('Packing', 'Link', async () => {
				const document = await scenario('Link', false);
				if (document === null) return;
				const used = await assetsOf(document);
				if ('sentence' in used) return navigation.refuse('Link', used);
				if (used.length > 0)
					return refused(
						'Link',
						'A link cannot carry files that were uploaded.',
						'Save the world as a file.',
					);
				const fragment = await writeFragment(document);
				if (fragment.length > MAX_LINK)
					return refused(
						'Link',
						`The world needs ${formatBytes(fragment.length)}, and a link carries at most ${formatBytes(MAX_LINK)}.`,
						'Save it as a file.',
					);
				await navigator.clipboard.writeText(`${location.href.split('#')[0]}#${fragment}`);
				navigation.tell(
					'The link is copied.',
					`${formatBytes(fragment.length)}; it opens a copy of this world.`,
				);
			}),
		open: (file) => scenes.fill(file.name, async () => requestsOf(readFile(await file.text()))),
		async openOffered() {
			const fragment = offered.value;
			if (fragment === null) return;
			await scenes.fill('world of the link', async () => requestsOf(await readFragment(fragment)));
			// A link that cannot be opened is not offered again.
			offered.value = null;
		},
		dismiss() {
			offered.value = null;
			navigation.go('start');
		},
		stop: () => globalThis.removeEventListener?.('hashchange', follow),
	};
}

function download(name: string, text: string): void {
	const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
