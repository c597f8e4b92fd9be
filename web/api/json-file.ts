/**
 * Documents as files: one entry of a section on a line, so that a file can be read, compared and is small all the same.
 * Owns: that layout, and that nothing is written that could not be read again.
 */

import { ApiError, catchRefusal, tooLargeToSave, withCode } from '../../shared/contract/errors.ts';
import { documentPathError } from '../../shared/contract/file-path.ts';
import { parseJson } from '../../shared/contract/json-text.ts';
import { MAX_DOCUMENT_DEPTH } from '../../shared/contract/wire.ts';
import { finishWork, type SlicedWork } from '../sim/core/sliced-work.ts';
import type { HostFiles } from '../store/files.ts';

export type FileCode = 'invalid_scene' | 'invalid_level';

/**
 * Returns the JSON of a file, which is checked as a body is. Throws `code`, and `file_refused` for an asset: these
 * hold what any writer sent.
 */
export async function readJson(
	{ files }: { files: HostFiles },
	path: string,
	code: FileCode,
): Promise<unknown> {
	requireDocumentPath(path);
	return parsedFile(await files.read(path), path, code);
}

/** Returns the JSON that the bytes of a file are. Throws `code`. */
export function parsedFile(bytes: Uint8Array, path: string, code: FileCode): unknown {
	return catchRefusal(
		() => parseJson(bytes, path, MAX_DOCUMENT_DEPTH),
		(refusal) => {
			throw withCode(refusal, code);
		},
	);
}

/** Throws `file_refused` for a path whose files are not documents: any writer may have uploaded them. */
export function requireDocumentPath(path: string): void {
	const refusal = documentPathError(path);
	if (refusal !== undefined)
		throw new ApiError('file_refused', refusal, { fix: 'Send a path in another folder.' });
}

/** Returns the bytes of a file for a document. Throws `too_large_to_save`. */
export function* fileWork(
	{ files }: { files: HostFiles },
	path: string,
	document: Readonly<Record<string, unknown>>,
): SlicedWork<Uint8Array<ArrayBuffer>> {
	const bytes = yield* documentWork(document, files.most, '\n');
	if (bytes === null) throw tooLargeToSave(path, files.most);
	return bytes;
}

/**
 * Returns a function that counts the entries of a document while they are made. It throws the error of `refusal` as
 * soon as the document must exceed `most` bytes. A small world can have a document that nothing could hold, since
 * many entities share what is written of each.
 */
export function entriesWithin(most: number, refusal: () => Error): (entry: object) => void {
	let characters = 0;
	return (entry) => {
		characters += JSON.stringify(entry).length;
		if (characters > most) throw refusal();
	};
}

const encoder = new TextEncoder();
/** Characters that are encoded at once: a document may be longer than one text can be. */
const CHUNK = 1 << 16;

/** Returns the bytes of a document, or null when these would be more than `most`. `line` ends every line. */
export const documentBytes = (
	document: Readonly<Record<string, unknown>>,
	most: number,
	line = '',
): Uint8Array<ArrayBuffer> | null => finishWork(documentWork(document, most, line));

function* documentWork(
	document: Readonly<Record<string, unknown>>,
	most: number,
	line: string,
): SlicedWork<Uint8Array<ArrayBuffer> | null> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	let waiting = '';
	const flush = () => {
		const chunk = encoder.encode(waiting);
		size += chunk.length;
		chunks.push(chunk);
		waiting = '';
	};
	for (const piece of piecesOf(document, line)) {
		waiting += piece;
		if (waiting.length <= CHUNK) continue;
		flush();
		if (size > most) return null;
		yield;
	}
	flush();
	if (size > most) return null;
	const all = new Uint8Array(size);
	let at = 0;
	for (const chunk of chunks) {
		all.set(chunk, at);
		at += chunk.length;
	}
	return all;
}

function* piecesOf(document: Readonly<Record<string, unknown>>, line: string): Generator<string> {
	let before = '{';
	for (const [name, section] of Object.entries(document)) {
		if (section === undefined) continue;
		yield `${before}${line}${JSON.stringify(name)}:`;
		before = ',';
		yield* section !== null && typeof section === 'object'
			? linesOf(section, line)
			: [JSON.stringify(section)];
	}
	yield before === '{' ? `{}${line}` : `${line}}${line}`;
}

/** Returns a list or a record, one entry on a line. */
function* linesOf(section: object, line: string): Generator<string> {
	const isList = Array.isArray(section);
	const [open, close] = isList ? ['[', ']'] : ['{', '}'];
	let before = open;
	for (const name in section) {
		const entry: unknown = (section as Record<string, unknown>)[name];
		const text: string | undefined = JSON.stringify(entry);
		if (text === undefined && !isList) continue;
		yield `${before}${line}${isList ? '' : `${JSON.stringify(name)}:`}${text ?? 'null'}`;
		before = ',';
	}
	yield before === open ? `${open}${close}` : `${line}${close}`;
}
