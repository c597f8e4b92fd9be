/** Handlers of the tag Assets. */

import { ApiError, notOwner } from '../../shared/contract/errors.ts';
import { restrictedAgent } from '../../shared/contract/principal.ts';
import { ANY_BYTES, mediaTypeOf } from '../../shared/documents/media-type.ts';
import { isShipped } from '../../shared/documents/shipped.ts';
import * as routes from '../../shared/routes/assets.ts';
import { fromBase64 } from '../sim/core/base64.ts';
import { assetHashesOf } from '../sim/core/named-assets.ts';
import { isModel } from '../sim/models/gltf.ts';
import type { Asset, Assets } from '../store/assets.ts';
import { handler } from './handler.ts';
import { modelWarnings } from './mesh-files.ts';
import { RawAnswer } from './raw-answer.ts';
import { warningsField } from './warnings-field.ts';

function assetView(assets: Assets, { hash, bytes, mediaType }: Asset, names = assets.namesOf(hash)) {
	return { hash, bytes: bytes.length, media_type: mediaType, names };
}

function requireAsset(assets: Assets, hash: string): Asset {
	const asset = assets.find(hash);
	if (asset === undefined) throw assets.missing(hash);
	return asset;
}

/** Returns the media type of an answer, from the header Accept; null for JSON. */
function acceptedMediaType(accept: string, { mediaType }: Asset): string | null {
	const kind = `${mediaType.split('/', 1)[0]}/*`;
	if (accept.includes(mediaType) || accept.includes(kind)) return mediaType;
	return accept.includes(ANY_BYTES) ? ANY_BYTES : null;
}

/** Throws `not_owner` unless an agent owns a hash or a name. */
function requireOwn(agent: number, assets: Assets, key: string): void {
	const owner = assets.ownerOf(key);
	if (owner !== agent) throw notOwner(`The asset "${key}"`, owner);
}

export const handlers = [
	handler(routes.uploadAsset, async ({ host, principal }, { query, body, upload }) => {
		const { assets } = host;
		const bytes = upload?.bytes ?? fromBase64(body.data);
		const bytesBefore = assets.bytes;
		const [declared, actual] = [upload?.mediaType ?? ANY_BYTES, mediaTypeOf(bytes)];
		if (declared !== ANY_BYTES && declared !== actual)
			throw new ApiError('asset_refused', `The bytes are ${actual}, not ${declared}.`, {
				fix: `Send Content-Type: ${actual}, or send the intended file.`,
			});
		const owner = restrictedAgent(principal)?.number;
		const { name } = query;
		if (owner !== undefined && name !== undefined && (isShipped(name) || (await assets.isUsedName(name))))
			requireOwn(owner, assets, name);
		const asset = await assets.put(bytes, name);
		return {
			...assetView(assets, asset),
			added: assets.bytes > bytesBefore,
			...warningsField(isModel(bytes) ? modelWarnings(asset.bytes, query.name ?? asset.hash) : []),
		};
	}),

	handler(routes.listAssets, ({ host: { assets } }) => {
		const names = assets.names();
		return {
			assets: assets.list().map((asset) => assetView(assets, asset, [...(names.get(asset.hash) ?? [])])),
			bytes: assets.bytes,
			room: assets.maxBytes,
		};
	}),

	handler(routes.getAsset, ({ host: { assets }, accept }, { params }) => {
		const asset = requireAsset(assets, params.hash);
		const media = acceptedMediaType(accept, asset);
		if (media === null) return assetView(assets, asset);
		// The bytes under a hash never change.
		const headers = { 'content-type': media, 'cache-control': 'private, max-age=31536000, immutable' };
		return new RawAnswer({ status: 200, headers, body: asset.bytes });
	}),

	handler(routes.deleteAsset, ({ host, principal }, { params }) => {
		const { assets } = host;
		const view = assetView(assets, requireAsset(assets, params.hash));
		const owner = restrictedAgent(principal)?.number;
		if (owner !== undefined) for (const key of [params.hash, ...view.names]) requireOwn(owner, assets, key);
		const user = host.worlds
			.all()
			.find(({ world, snapshots }) =>
				[world, ...snapshots.map((snapshot) => snapshot.world)].some((world) =>
					assetHashesOf(world).has(params.hash),
				),
			);
		if (user !== undefined)
			throw new ApiError(
				'asset_in_use',
				`An entity, a template, a prefab, a material or a rule of the world "${user.id}" or of its snapshots uses the asset.`,
			);
		assets.delete(params.hash);
		return view;
	}),
];
