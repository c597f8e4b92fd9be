/**
 * A world as one file, and as a link.
 * Owns: both formats. A file has the scenario and the bytes of every uploaded asset. Never: asks the engine.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';

const FORMAT = 'orrery-file-1';
/** Maximum length of a link's fragment (characters). */
export const MAX_LINK = 100 * 1024;
/** Maximum size of the document that a link unpacks to (bytes). */
const MAX_UNPACKED = 8 * 2 ** 20;
export const LINK_KEY = 'world=';

export interface FileAsset {
	readonly name: string | null;
	/** Content as base64. */
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

/** Reads a file of `writeFile`, or a plain scenario. Throws an error with a sentence. */
export function readFile(text: string): WorldFile {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch (error) {
		throw new Error(`The file is not JSON: ${reasonOf(error)}.`);
	}
	if (!isRecord(parsed)) throw new Error('The file is not a world: it must be a JSON object.');
	if (parsed.format === undefined) return { scenario: parsed, assets: [] };
	const { format, scenario, assets } = parsed;
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

const pipeBytes = (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
	new Blob([bytes]).stream().pipeThrough(stream);

/** Returns the fragment of a link that carries a scenario: compressed, as base64 for URLs. */
export async function writeFragment(scenario: unknown): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(scenario));
	const packed = new Uint8Array(
		await new Response(pipeBytes(bytes, new CompressionStream('deflate-raw'))).arrayBuffer(),
	);
	let binary = '';
	for (const byte of packed) binary += String.fromCharCode(byte);
	return LINK_KEY + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads the fragment of a link, without its `#`. Rejects with a sentence. */
export async function readFragment(fragment: string): Promise<WorldFile> {
	const damaged = 'The link is damaged or was cut off. Copy it again.';
	try {
		const base64 = fragment.slice(LINK_KEY.length).replaceAll('-', '+').replaceAll('_', '/');
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
		const reader = pipeBytes(bytes, new DecompressionStream('deflate-raw')).getReader();
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

/** Returns the file name for a world, of letters, digits and dashes. */
export function fileName(world: string): string {
	const plain = world
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replaceAll(/^-+|-+$/g, '');
	return `${plain.slice(0, 40) || 'world'}.orrery.json`;
}

/** Converts bytes to base64. */
export async function toBase64(bytes: Blob): Promise<string> {
	const url = await new Promise<string>((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(bytes);
	});
	return url.slice(url.indexOf(',') + 1);
}
