/**
 * Documents as files. Each entry of a section is on its own line, so that people can read and compare files that are still small.
 * Owns: this layout, and the refusal of documents that could not be read again.
 */

import { ApiError, catchRefusal, tooLargeToSave, withCode } from '../../shared/contract/errors.ts';
import { documentPathError } from '../../shared/contract/file-path.ts';
import { parseJson } from '../../shared/contract/json-text.ts';
import { MAX_DOCUMENT_DEPTH } from '../../shared/contract/wire.ts';
import { finishWork, type SlicedWork } from '../sim/core/sliced-work.ts';
import type { HostFiles } from '../store/files.ts';

export type FileErrorCode = 'invalid_scene' | 'invalid_level';

/**
 * Returns the JSON of a file, checked like a body. Throws `code`, and `file_refused` for an asset, because any writer may have
 * uploaded it.
 */
export async function readJson(
	{ files }: { files: HostFiles },
	path: string,
	code: FileErrorCode,
): Promise<unknown> {
	requireDocumentPath(path);
	return parseFile(await files.read(path), path, code);
}

/** Returns the JSON value in the bytes of a file. Throws `code`. */
export function parseFile(bytes: Uint8Array, path: string, code: FileErrorCode): unknown {
	return catchRefusal(
		() => parseJson(bytes, path, MAX_DOCUMENT_DEPTH),
		(refusal) => {
			throw withCode(refusal, code);
		},
	);
}

/** Throws `file_refused` for a path whose files are not documents: any writer may have uploaded them. */
export function requireDocumentPath(path: string): void {
	const fault = documentPathError(path);
	if (fault !== undefined)
		throw new ApiError('file_refused', fault, { fix: 'Send a path in another folder.' });
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
 * Returns a function that counts the entries of a document while they are created. It throws the error of `refusal` as soon as the
 * document must exceed `max` bytes. A small world can have a huge document, because entities share data that is written for each.
 */
export function entriesWithin(max: number, refusal: () => Error): (entry: object) => void {
	let characters = 0;
	return (entry) => {
		characters += JSON.stringify(entry).length;
		if (characters > max) throw refusal();
	};
}

const encoder = new TextEncoder();
/** Number of characters that are encoded together. A document may be longer than a text can be. */
const CHUNK = 1 << 16;

/** Returns the bytes of a document; null if it has more than `max` bytes. `line` ends every line. */
export const documentBytes = (
	document: Readonly<Record<string, unknown>>,
	max: number,
	line = '',
): Uint8Array<ArrayBuffer> | null => finishWork(documentWork(document, max, line));

function* documentWork(
	document: Readonly<Record<string, unknown>>,
	max: number,
	line: string,
): SlicedWork<Uint8Array<ArrayBuffer> | null> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	let pendingText = '';
	const flush = () => {
		const chunk = encoder.encode(pendingText);
		size += chunk.length;
		chunks.push(chunk);
		pendingText = '';
	};
	for (const piece of piecesOf(document, line)) {
		pendingText += piece;
		if (pendingText.length <= CHUNK) continue;
		flush();
		if (size > max) return null;
		yield;
	}
	flush();
	if (size > max) return null;
	const joined = new Uint8Array(size);
	let offset = 0;
	for (const chunk of chunks) {
		joined.set(chunk, offset);
		offset += chunk.length;
	}
	return joined;
}

function* piecesOf(document: Readonly<Record<string, unknown>>, line: string): Generator<string> {
	let separator = '{';
	for (const [name, section] of Object.entries(document)) {
		if (section === undefined) continue;
		yield `${separator}${line}${JSON.stringify(name)}:`;
		separator = ',';
		yield* section !== null && typeof section === 'object'
			? linesOf(section, line)
			: [JSON.stringify(section)];
	}
	yield separator === '{' ? `{}${line}` : `${line}}${line}`;
}

/** Returns the text of a list or a record, one entry per line. */
function* linesOf(section: object, line: string): Generator<string> {
	const isList = Array.isArray(section);
	const [open, close] = isList ? ['[', ']'] : ['{', '}'];
	let separator = open;
	for (const name in section) {
		const entry: unknown = (section as Record<string, unknown>)[name];
		const text: string | undefined = JSON.stringify(entry);
		if (text === undefined && !isList) continue;
		yield `${separator}${line}${isList ? '' : `${JSON.stringify(name)}:`}${text ?? 'null'}`;
		separator = ',';
	}
	yield separator === open ? `${open}${close}` : `${line}${close}`;
}
