/**
 * Answers that end in the list of a world's entities.
 * Owns: putting the list's bytes behind the rest of the answer, without an object for every entity in between.
 */

import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { TooManyBytesError } from '../sim/core/bytes.ts';
import type { World } from '../sim/core/world.ts';
import { observeBytes } from '../sim/observe/write-out.ts';
import { RawAnswer } from './raw-answer.ts';

const encoder = new TextEncoder();

/** `answer`, with `ok: true` before it and `entities` after it. Throws `answer_too_large` before more is made than any answer has. */
export function withEntities(
	answer: object,
	world: World,
	viewer?: EntityHandle,
	only?: ReadonlySet<number>,
): RawAnswer {
	const head = encoder.encode(`${JSON.stringify({ ok: true, ...answer }).slice(0, -1)},"entities":`);
	const entities = listWithin(world, viewer, only);
	const body = new Uint8Array(head.length + entities.length + 1);
	body.set(head);
	body.set(entities, head.length);
	body[body.length - 1] = 0x7d;
	return new RawAnswer({ status: 200, headers: { 'content-type': 'application/json' }, body });
}

function listWithin(...of: [World, EntityHandle | undefined, ReadonlySet<number> | undefined]) {
	try {
		return observeBytes(...of, MAX_DOCUMENT_BYTES);
	} catch (error) {
		if (!(error instanceof TooManyBytesError)) throw error;
		throw new ApiError(
			'answer_too_large',
			`The answer would exceed the limit of ${MAX_DOCUMENT_BYTES} bytes.`,
		);
	}
}
