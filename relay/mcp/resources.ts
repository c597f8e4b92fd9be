/**
 * Resources over the Model Context Protocol: worlds, their rules, the journal, pages of the guide, and pictures.
 * Owns: their addresses and contents.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Guide } from '../guide/guide.ts';
import type { GuidePage } from '../guide/page.ts';
import { type Connection, jsonOf, readEngine } from './connection.ts';
import { BAD_PARAMS, NO_RESOURCE, ProtocolError } from './messages.ts';
import { MAX_CHARACTERS, PICTURE_TYPES, pictureOf } from './results.ts';

const SCHEME = 'orrery://';
const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';
/** Maximum tokens of a world that is read as a resource. */
const WORLD_BUDGET = 14_000;

interface ListedResource {
	readonly uri: string;
	readonly name: string;
	readonly description?: string;
	readonly mimeType: string;
}

let guide: Guide | undefined;

/** Returns the pages of the guide. It is loaded on demand, because it loads slowly and most clients read no page. */
async function readGuidePages(): Promise<readonly GuidePage[]> {
	if (guide === undefined) {
		const { readGuide } = await import('../guide/guide.ts');
		guide = readGuide();
	}
	return [guide.index, ...guide.pages];
}

const worldUri = (world: string) => `${SCHEME}world/${encodeURIComponent(world)}`;

/** Returns the address of a picture of a world. The picture is drawn when it is read. */
export const pictureUri = (world: string, query: string): string =>
	`${SCHEME}picture/${encodeURIComponent(world)}${query === '' ? '' : `?${query}`}`;

/** Returns all resources: those of main and its forks, the journal, and the pages of the guide. */
export async function listResources(connection: Connection): Promise<readonly ListedResource[]> {
	const { value } = await readEngine(connection, '/fork/list');
	const worlds = ['main', ...(value.forks as string[])].flatMap((world): ListedResource[] => [
		{ uri: worldUri(world), name: `world ${world}`, description: 'Its entities', mimeType: JSON_TYPE },
		{ uri: `${worldUri(world)}/rules`, name: `rules of ${world}`, mimeType: JSON_TYPE },
		{ uri: `${worldUri(world)}/actions`, name: `actions of ${world}`, mimeType: JSON_TYPE },
	]);
	const pages = (await readGuidePages()).filter(({ group }) => group === undefined);
	return [
		...worlds,
		{ uri: `${SCHEME}journal`, name: 'journal', description: 'The applied calls', mimeType: JSON_TYPE },
		...pages.map(({ name, title, summary }) => ({
			uri: `${SCHEME}guide/${name}`,
			name: title,
			description: summary,
			mimeType: MARKDOWN,
		})),
	];
}

export const TEMPLATES = [
	{
		uriTemplate: `${SCHEME}world/{world}`,
		name: 'world',
		description: 'Entities of main or a fork',
		mimeType: JSON_TYPE,
	},
	{ uriTemplate: `${SCHEME}world/{world}/rules`, name: 'rules', mimeType: JSON_TYPE },
	{ uriTemplate: `${SCHEME}world/{world}/actions`, name: 'actions', mimeType: JSON_TYPE },
	{ uriTemplate: `${SCHEME}world/{world}/entity/{id}`, name: 'entity', mimeType: JSON_TYPE },
	{
		uriTemplate: `${SCHEME}picture/{world}{?width,height,channel,hud}`,
		name: 'picture',
		description: 'Picture of a world, drawn when it is read',
		mimeType: 'image/webp',
	},
	{ uriTemplate: `${SCHEME}guide/{page}`, name: 'page of the guide', mimeType: MARKDOWN },
];

/** Returns the content of a resource, and the milliseconds for which it may be cached. Rejects with a `ProtocolError`. */
export async function readResource(connection: Connection, uri: string) {
	const notFound = (problem = `There is no resource ${uri}.`) =>
		new ProtocolError(
			`${problem} resources/list and resources/templates/list name all resources.`,
			connection.era === 'modern' ? BAD_PARAMS : NO_RESOURCE,
			{ uri },
		);
	if (!uri.startsWith(SCHEME)) throw notFound();
	const [address = '', query = ''] = uri.slice(SCHEME.length).split('?', 2);
	const [kind = '', target = '', section, id, ...rest] = address.split('/').map(decodePart);
	if (rest.length > 0) throw notFound();
	const readJson = async (path: string, query: string, body?: object) => {
		const { text } = await readEngine(connection, path, query, body);
		return { cacheMs: 0, contents: [{ uri, mimeType: JSON_TYPE, text: limitLength(text) }] };
	};
	try {
		const worldQuery = new URLSearchParams({ world: target }).toString();
		if (kind === 'journal' && target === '') return await readJson('/history', 'limit=100');
		if (kind === 'world' && target !== '' && section === undefined)
			return await readJson('/observe', worldQuery, { budget: WORLD_BUDGET });
		if (kind === 'world' && section === 'rules' && id === undefined)
			return await readJson('/rule/list', worldQuery);
		if (kind === 'world' && section === 'actions' && id === undefined)
			return await readJson('/action/list', worldQuery);
		if (kind === 'world' && section === 'entity' && id !== undefined)
			return await readJson(`/entities/${encodeURIComponent(id)}`, worldQuery);
		if (kind === 'picture' && target !== '' && section === undefined)
			return await readPicture(connection, uri, `${worldQuery}${query === '' ? '' : `&${query}`}`);
	} catch (error) {
		if (error instanceof ApiError) throw notFound(`${error.message} ${error.fix}`);
		throw error;
	}
	const page = kind === 'guide' ? (await readGuidePages()).find(({ name }) => name === target) : undefined;
	if (section !== undefined || page === undefined) throw notFound();
	return { cacheMs: 3_600_000, contents: [{ uri, mimeType: MARKDOWN, text: page.markdown() }] };
}

async function readPicture({ send, signal }: Connection, uri: string, query: string) {
	const answer = await send({ method: 'GET', path: '/screenshot', query, accept: PICTURE_TYPES }, signal);
	const picture = pictureOf(answer);
	if (picture === undefined) {
		const { value } = jsonOf(answer);
		throw new ApiError('no_picture', String(value.error), { fix: String(value.fix) });
	}
	const { mimeType, data } = picture;
	return { cacheMs: 0, contents: [{ uri, mimeType, blob: data }] };
}

/** Returns a part of an address decoded, or unchanged if it cannot be decoded. */
function decodePart(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** Returns a text with at most `MAX_CHARACTERS`, and a note if it was cut. */
const limitLength = (text: string): string =>
	text.length <= MAX_CHARACTERS
		? text
		: `${text.slice(0, MAX_CHARACTERS)}\n(The text is cut: it has ${text.length} characters. Use the tool observe or call to read a part.)`;
