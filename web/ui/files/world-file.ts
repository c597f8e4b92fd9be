/**
 * A world as one file, and as a link.
 * Owns: both formats. A file has the scenario and the bytes of every asset that does not come with the program. Never: asks the engine.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';

const FORMAT = 'orrery-file-1';
/** Largest fragment of a link (characters). */
export const MAX_LINK = 100 * 1024;
/** Largest document that a link may unpack to (bytes). */
const MAX_UNPACKED = 8 * 2 ** 20;
export const LINK_KEY = 'world=';

export interface FileAsset {
	readonly name: string | null;
	/** Its bytes as base64. */
	readonly data: string;
}

export interface WorldFile {
	readonly scenario: Readonly<Record<string, unknown>>;
	readonly assets: readonly FileAsset[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const writeFile = ({ scenario, assets }: WorldFile): string =>
	JSON.stringify({ format: FORMAT, scenario, assets });

/** Reads a file: one that `writeFile` wrote, or a plain scenario. Throws an Error with a sentence. */
export function readFile(text: string): WorldFile {
	let read: unknown;
	try {
		read = JSON.parse(text);
	} catch (error) {
		throw new Error(`The file is not JSON: ${reasonOf(error)}.`);
	}
	if (!isRecord(read)) throw new Error('The file is not a world: it must be a JSON object.');
	if (read.format === undefined) return { scenario: read, assets: [] };
	const { format, scenario, assets } = read;
	if (format !== FORMAT || !isRecord(scenario) || !Array.isArray(assets))
		throw new Error(`The file has the format "${String(format)}", and this page reads "${FORMAT}".`);
	return {
		scenario,
		assets: assets.flatMap((asset): FileAsset[] =>
			isRecord(asset) && typeof asset.data === 'string'
				? [{ name: typeof asset.name === 'string' ? asset.name : null, data: asset.data }]
				: [],
		),
	};
}

const through = (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
	new Blob([bytes]).stream().pipeThrough(stream);

/** Returns the fragment of a link that has a scenario in it: compressed, as base64 that an address can have. */
export async function writeFragment(scenario: unknown): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(scenario));
	const packed = new Uint8Array(
		await new Response(through(bytes, new CompressionStream('deflate-raw'))).arrayBuffer(),
	);
	let binary = '';
	for (const byte of packed) binary += String.fromCharCode(byte);
	return LINK_KEY + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads such a fragment, without its `#`. Rejects with a sentence. */
export async function readFragment(fragment: string): Promise<WorldFile> {
	const damaged = 'The link is damaged or was cut off. Copy it again.';
	try {
		const base64 = fragment.slice(LINK_KEY.length).replaceAll('-', '+').replaceAll('_', '/');
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
		const reader = through(bytes, new DecompressionStream('deflate-raw')).getReader();
		const decoder = new TextDecoder();
		let text = '';
		for (let size = 0; ; ) {
			const { done, value } = await reader.read();
			if (done) break;
			size += value.length;
			if (size > MAX_UNPACKED) throw new Error(damaged);
			text += decoder.decode(value, { stream: true });
		}
		return { ...readFile(text), assets: [] };
	} catch {
		throw new Error(damaged);
	}
}

/** Name of a file for a world: letters, digits and dashes. */
export function fileName(world: string): string {
	const plain = world
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replaceAll(/^-+|-+$/g, '');
	return `${plain.slice(0, 40) || 'world'}.orrery.json`;
}

/** Returns bytes as base64. */
export async function toBase64(bytes: Blob): Promise<string> {
	const url = await new Promise<string>((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(bytes);
	});
	return url.slice(url.indexOf(',') + 1);
}
