/**
 * GET /catalog: files that come with the server, are in the data folder, or were uploaded.
 * Owns: the details that are read from each file. The names of shipped files are those of `shared/documents/shipped.ts`.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { ASSETS_FOLDER, PICTURES_FOLDER } from '../../shared/contract/file-path.ts';
import { type JsonSchema, jsonSchema } from '../../shared/contract/json-schema.ts';
import type { Answer } from '../../shared/contract/route.ts';
import { imageSize } from '../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../shared/documents/media-type.ts';
import { SHIPPED, shippedPath } from '../../shared/documents/shipped.ts';
import { soundLength } from '../../shared/documents/sound-length.ts';
import * as routes from '../../shared/routes/catalog.ts';
import { gltfOf } from '../sim/models/gltf.ts';
import { modelOf } from '../sim/models/model.ts';
import { listPrefabs } from '../sim/prefabs/prefabs.ts';
import { templateNames } from '../sim/templates/templates.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';

type Catalog = Answer<typeof routes.getCatalog>;
type FileOrigin = 'server' | 'data' | 'upload';

/** Maximum number of data files per kind whose details are read. */
const MAX_DETAILED = 100;

const ENDINGS = {
	scenes: /\.json$/i,
	models: /\.(?:glb|gltf)$/i,
	sounds: /\.(?:wav|ogg|mp3)$/i,
	textures: /\.(?:png|jpe?g|webp)$/i,
} as const;
type FileKind = keyof typeof ENDINGS;

/** A file. `read` returns its bytes; null for a file whose details are not read. */
interface CatalogFile {
	readonly name: string;
	readonly from: FileOrigin;
	readonly read: (() => Promise<Uint8Array | null>) | null;
	/** Words by which a search finds the file, in addition to its name. */
	readonly words?: readonly string[];
}

/** Returns the files of one kind: shipped ones, those of the data folder, and uploads. Equal names are listed once. */
async function filesOf(host: Host, kind: FileKind): Promise<CatalogFile[]> {
	const shipped = (kind === 'textures' ? [] : SHIPPED[kind].names).map((name): CatalogFile => {
		const path = shippedPath(kind as keyof typeof SHIPPED, name);
		const words = SHIPPED[kind as keyof typeof SHIPPED].words?.[name] ?? [];
		const read = () => host.readPublic(path);
		return { name: kind === 'scenes' ? name : path, from: 'server', read, words };
	});
	const files = (await host.files.list?.()) ?? [];
	const isUserFile = (path: string) =>
		!path.startsWith(`${ASSETS_FOLDER}/`) && !path.startsWith(`${PICTURES_FOLDER}/`);
	const dataFiles = files
		.filter((path) => ENDINGS[kind].test(path) && isUserFile(path))
		.map((path, at): CatalogFile => {
			const read = at < MAX_DETAILED && kind !== 'scenes' ? () => host.files.read(path) : null;
			return { name: path, from: 'data', read };
		});
	const uploads = host.assets
		.list()
		.filter(({ bytes }) => kindOfBytes(bytes) === kind)
		.flatMap(({ hash, bytes }) =>
			host.assets
				.namesOf(hash)
				.map((name): CatalogFile => ({ name, from: 'upload', read: async () => bytes })),
		);
	const all = new Map([...shipped, ...dataFiles, ...uploads].map((item) => [item.name, item]));
	return [...all.values()];
}

function kindOfBytes(bytes: Uint8Array): FileKind | undefined {
	const [kind] = mediaTypeOf(bytes).split('/');
	return kind === 'model'
		? 'models'
		: kind === 'audio'
			? 'sounds'
			: kind === 'image'
				? 'textures'
				: undefined;
}

/** Returns the details of each file, or the reason why they cannot be read. */
function withDetails<D extends object>(
	files: readonly CatalogFile[],
	details: (bytes: Uint8Array, name: string) => D,
): Promise<({ name: string; from: FileOrigin; words?: string[]; problem?: string } & Partial<D>)[]> {
	return Promise.all(
		files.map(async ({ name: path, from, read, words = [] }) => {
			const common = { name: path, from, ...(words.length === 0 ? {} : { words: [...words] }) };
			try {
				const bytes = (await read?.()) ?? null;
				const fileDetails: Partial<D> = bytes === null ? {} : details(bytes, path);
				return { ...common, ...fileDetails };
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				const noDetails: Partial<D> = {};
				return { ...common, problem: error.message, ...noDetails };
			}
		}),
	);
}

/** Rounds to four digits, which are enough to place an object. */
const round = (value: number): number => Number(value.toPrecision(4));

function modelDetails(bytes: Uint8Array, name: string) {
	const { low, high, clips } = modelOf(bytes, `"${name}"`);
	const materials = gltfOf(bytes, `"${name}"`).json.materials.map((material) => material.name ?? '');
	return {
		low: low.map(round) as [number, number, number],
		size: [0, 1, 2].map((axis) => round(high[axis]! - low[axis]!)) as [number, number, number],
		clips: clips.map((clip) => ({ name: clip.name, seconds: round(clip.duration) })),
		materials: [...new Set(materials.filter((material) => material !== ''))],
	};
}

function soundDetails(bytes: Uint8Array) {
	const seconds = soundLength(bytes, mediaTypeOf(bytes));
	return seconds === null
		? { problem: 'It is not a sound that can be played.' }
		: { seconds: round(seconds) };
}

function textureDetails(bytes: Uint8Array) {
	return imageSize(bytes, mediaTypeOf(bytes)) ?? { problem: 'It is not a picture that can be drawn.' };
}

function sceneDetails(bytes: Uint8Array) {
	const {
		name,
		entities = [],
		rules = [],
	} = JSON.parse(new TextDecoder().decode(bytes)) as {
		name?: string;
		entities?: unknown[];
		rules?: unknown[];
	};
	return { ...(name === undefined ? {} : { title: name }), entities: entities.length, rules: rules.length };
}

async function scenes(files: readonly CatalogFile[]): Promise<NonNullable<Catalog['scenes']>> {
	const all = await withDetails(files, sceneDetails);
	return all.map((scene) => ({
		...scene,
		open: { method: 'POST', path: '/scene/open', body: { name: scene.name } },
	}));
}

/** Returns the words that a field allows; an empty list if it is not an enumeration. */
function wordsOf(schema: JsonSchema): string[] {
	const forms = (schema.anyOf ?? [schema]) as JsonSchema[];
	return forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum.map(String) : []));
}

/** Returns the fields named `preset`, and the fields of routes whose path ends with `/preset` or `/view`. */
function presets(host: Host): NonNullable<Catalog['presets']> {
	return host.routes.flatMap(({ method, path, body }) => {
		if (body === undefined) return [];
		const { properties = {} } = jsonSchema(body, 'input') as { properties?: Record<string, JsonSchema> };
		const isPreset = path.endsWith('/preset') || path.endsWith('/view');
		return Object.entries(properties)
			.filter(([field]) => field === 'preset' || isPreset)
			.map(([field, schema]) => ({ route: `${method} ${path}`, field, names: wordsOf(schema) }))
			.filter(({ names }) => names.length > 0);
	});
}

export const handlers = [
	handler(routes.getCatalog, async ({ host, world }, { query }) => {
		const text = query.q?.toLowerCase() ?? '';
		const matches = (name: string): boolean => name.toLowerCase().includes(text);
		const files = async (kind: FileKind) =>
			(await filesOf(host, kind)).filter(({ name, words = [] }) => [name, ...words].some(matches));
		const sections: { [K in (typeof routes.CATALOG_KINDS)[number]]: () => unknown } = {
			scenes: async () => scenes(await files('scenes')),
			models: async () => withDetails(await files('models'), modelDetails),
			sounds: async () => withDetails(await files('sounds'), soundDetails),
			textures: async () => withDetails(await files('textures'), textureDetails),
			templates: () => templateNames(world).filter(matches),
			prefabs: () =>
				listPrefabs(world)
					.map(({ name }) => name)
					.filter(matches),
			presets: () => presets(host).filter(({ route, names }) => matches(route) || names.some(matches)),
		};
		const kinds = query.kind == null ? routes.CATALOG_KINDS : [query.kind];
		const sectionEntries = await Promise.all(kinds.map(async (kind) => [kind, await sections[kind]()]));
		return Object.fromEntries(sectionEntries) as Omit<Catalog, 'ok'>;
	}),
];
