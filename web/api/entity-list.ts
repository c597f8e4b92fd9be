/**
 * Answers that end in the list of a world's entities.
 * Owns: the list, which is appended as bytes without an object per entity.
 */

import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { TooManyBytesError } from '../sim/core/bytes.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { encodeJson, JsonWriter } from '../sim/observe/json-bytes.ts';
import { writeEntities } from '../sim/observe/write-out.ts';
import { RawAnswer } from './raw-answer.ts';

/**
 * Returns `answer` with `ok: true` before it and `entities` after it, written in slices. Throws `answer_too_large` as soon as it exceeds
 * the limit of an answer.
 */
export function* withEntities(
	answer: object,
	world: World,
	viewer?: EntityHandle,
	ids?: ReadonlySet<number>,
): SlicedWork<RawAnswer> {
	const out = new JsonWriter();
	out.writeEncoded(encodeJson(`${JSON.stringify({ ok: true, ...answer }).slice(0, -1)},"entities":`));
	try {
		yield* writeEntities(out, world, viewer, ids, MAX_DOCUMENT_BYTES);
	} catch (error) {
		if (!(error instanceof TooManyBytesError)) throw error;
		throw new ApiError(
			'answer_too_large',
			`The answer would exceed the limit of ${MAX_DOCUMENT_BYTES} bytes.`,
		);
	}
	out.writeByte(0x7d);
	return new RawAnswer({
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: out.finish(),
	});
}
