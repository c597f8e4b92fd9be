/**
 * Named files in the browser's private storage, for a tab without a relay.
 * Owns: the folder `data` of this origin's storage.
 */

import { pathError } from '../../shared/contract/file-path.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import { FileError, type Files, MAX_LISTED } from '../store/files.ts';
import { writeWhole } from './write-whole.ts';

/** Returns the files in this origin's private storage. They exist until a person clears the site's data. */
export function originFiles(): Files {
	return {
		storage: "this browser's private storage",
		async read(path) {
			try {
				const { folder, name } = await folderOf(path, false);
				const handle = await folder.getFileHandle(name);
				return new Uint8Array(await (await handle.getFile()).arrayBuffer());
			} catch (error) {
				throw toFileError(error, path);
			}
		},
		async list() {
			const paths: string[] = [];
			const root = await navigator.storage.getDirectory();
			await listInto(paths, await root.getDirectoryHandle('data', { create: true }), '');
			return paths.sort();
		},
		async write(path, bytes) {
			try {
				const { folder, name } = await folderOf(path, true);
				const isNew = !(await exists(folder, name));
				const handle = await folder.getFileHandle(name, { create: true });
				try {
					await writeWhole(handle, [withoutSharedMemory(bytes)]);
				} catch (error) {
					if (isNew) await folder.removeEntry(name);
					throw error;
				}
			} catch (error) {
				throw toFileError(error, path);
			}
		},
	};
}

async function listInto(paths: string[], folder: FileSystemDirectoryHandle, prefix: string): Promise<void> {
	for await (const [name, handle] of folder.entries()) {
		if (paths.length >= MAX_LISTED) return;
		if (handle.kind === 'file') paths.push(prefix + name);
		else await listInto(paths, handle as FileSystemDirectoryHandle, `${prefix}${name}/`);
	}
}

async function folderOf(
	path: string,
	create: boolean,
): Promise<{ readonly folder: FileSystemDirectoryHandle; readonly name: string }> {
	const fault = pathError(path);
	if (fault !== undefined) throw new FileError('refused', fault);
	const names = path.split('/');
	const name = names.pop()!;
	const root = await navigator.storage.getDirectory();
	let folder = await root.getDirectoryHandle('data', { create: true });
	for (const part of names) folder = await folder.getDirectoryHandle(part, { create });
	return { folder, name };
}

async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
	try {
		await folder.getFileHandle(name);
		return true;
	} catch (error) {
		if (error instanceof DOMException && error.name === 'NotFoundError') return false;
		throw error;
	}
}

/** Returns bytes that storage accepts: a copy if they are in shared memory. */
function withoutSharedMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
	return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

function toFileError(error: unknown, path: string): FileError {
	if (error instanceof FileError) return error;
	const name = error instanceof DOMException ? error.name : '';
	if (name === 'NotFoundError') return new FileError('missing', `There is no file "${path}".`);
	if (name === 'TypeMismatchError') {
		return new FileError(
			'refused',
			`"${path}" is a folder instead of a file, or part of it is a file instead of a folder.`,
		);
	}
	if (name === 'TypeError')
		return new FileError('refused', `The browser does not accept the file name "${path}".`);
	return new FileError('failed', `The browser could not open "${path}": ${reasonOf(error)}`);
}
