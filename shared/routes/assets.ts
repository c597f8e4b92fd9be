/** Routes of the tag Assets: bytes that worlds use by name or hash. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { integer, text } from '../contract/values.ts';
import { ANY_BYTES, MEDIA_TYPES } from '../documents/media-type.ts';
import { warnings } from './world.ts';

const shared = { tag: 'Assets', world: false, batch: false } as const;

const hash = z
	.string()
	.regex(/^[0-9a-f]{64}$/)
	.describe('SHA-256 of the bytes, 64 hexadecimal digits');
const name = text('Name for later use, a relative path such as models/fox.glb', 400);

const asset = {
	hash,
	bytes: integer('Size', { unit: 'bytes' }),
	media_type: z.enum(MEDIA_TYPES).describe('Media type, detected from its first bytes'),
	names: z.array(z.string()).describe('Names it was uploaded under, sorted'),
};

const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PIXEL_HASH = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';
const upload = { path: '/asset/upload?name=textures/pixel.png', body: { data: PIXEL } };

export const uploadAsset = route({
	...shared,
	id: 'asset.upload',
	method: 'POST',
	path: '/asset/upload',
	cli: ['asset', 'upload'],
	summary: 'Stores a model, a texture or a sound under the hash of its bytes',
	description:
		'Send the bytes themselves with their media type (curl --data-binary @fox.glb -H "Content-Type: model/gltf-binary"), or JSON with the bytes as base64. A .gltf that refers to other files cannot be uploaded: put all files into the data folder and use its path. Equal bytes are stored once. If a name is taken, it now refers to the new bytes; the former bytes keep their hash.',
	effect: 'view',
	document: true,
	accepts: [...MEDIA_TYPES],
	query: z.strictObject({ name: name.optional() }),
	body: z.strictObject({ data: z.base64().describe('The bytes as base64') }),
	answer: z.strictObject({
		ok: z.literal(true),
		...asset,
		added: z.boolean().describe('false: the same bytes were already stored'),
		warnings,
	}),
	makes: { thing: 'asset', named: { asset: '$response.body#/hash' } },
	errors: ['asset_refused'],
	examples: [{ name: 'A picture of one pixel', ...upload }],
});

export const listAssets = route({
	...shared,
	id: 'asset.list',
	method: 'GET',
	path: '/asset/list',
	cli: ['asset', 'list'],
	summary: 'All assets, sorted by hash',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		assets: z.array(z.strictObject(asset)),
		bytes: integer('Total size of all assets', { unit: 'bytes' }),
		room: integer('Largest total size', { unit: 'bytes' }),
	}),
	errors: [],
	examples: [{ name: 'One asset', given: [upload] }],
});

export const getAsset = route({
	...shared,
	id: 'asset.get',
	method: 'GET',
	path: '/asset/{hash}',
	cli: ['asset', 'get'],
	summary: 'Description of an asset, or its bytes',
	description:
		'Returns a description as JSON, or the bytes if Accept names their media type, such as image/*, or application/octet-stream.',
	effect: 'read',
	params: z.strictObject({ hash: hash.meta(namesThing('asset')) }),
	answer: z.strictObject({ ok: z.literal(true), ...asset }),
	media: [ANY_BYTES],
	errors: ['asset_missing'],
	examples: [{ name: 'A picture of one pixel', given: [upload], path: `/asset/${PIXEL_HASH}` }],
});

export const deleteAsset = route({
	...shared,
	id: 'asset.delete',
	method: 'DELETE',
	path: '/asset/{hash}',
	cli: ['asset', 'delete'],
	summary: 'Deletes an asset that no world uses, and its names',
	effect: 'view',
	params: z.strictObject({ hash: hash.meta(namesThing('asset')) }),
	answer: z.strictObject({ ok: z.literal(true), ...asset }),
	errors: ['asset_missing', 'asset_in_use'],
	examples: [{ name: 'A picture of one pixel', given: [upload], path: `/asset/${PIXEL_HASH}` }],
});
