/**
 * Rule for paths of files in the data folder.
 * Owns: this rule, which the relay's folder and the browser's private storage share.
 * Never: touches a disk; knows where the folder is.
 */

/** Prefix of the names of the relay's own files in the data folder. */
export const OWN_FILES = '.orrery-';

/** Folder for the assets of saves. Each file is named by its hash. */
export const ASSETS_FOLDER = 'assets';

/** Folder of pictures. */
export const PICTURES_FOLDER = 'screenshots';
/** Maximum number of pictures. A new one replaces the oldest. */
export const MAX_PICTURES = 500;

/** Returns the reason that a document or picture may not have a path, as a sentence; undefined if it may. */
export function documentPathError(path: string): string | undefined {
	return path.split('/')[0]!.toLowerCase() === ASSETS_FOLDER
		? `The folder "${ASSETS_FOLDER}" is reserved for the assets that saved worlds use.`
		: undefined;
}

/**
 * Returns the reason that a path is refused, as a sentence, or undefined if it is a plain relative path with `/`
 * between names.
 */
export function pathError(path: string): string | undefined {
	if (path === '') return 'The path is empty.';
	if (path.length > 1024) return 'The path is longer than 1024 characters.';
	if (path.includes('\\')) return `The path "${path}" has a backslash; write "/" between names.`;
	if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) {
		return `The path "${path}" is absolute; write it relative to the data folder.`;
	}
	for (const name of path.split('/')) {
		if (name === '..' || name === '.') return `The path "${path}" contains "${name}".`;
		// Some disks do not distinguish upper and lower case.
		if (name.toLowerCase().startsWith(OWN_FILES))
			return `The name "${name}" is reserved for files of the server.`;
		if (name === '') return `The path "${path}" contains an empty name.`;
		if (hasControl(name)) return 'The path contains a control character.';
		if (/[:*?"<>|]/.test(name)) return `The name "${name}" contains one of the characters : * ? " < > |.`;
		if (name.length > 255) return 'A name in the path is longer than 255 characters.';
	}
	return undefined;
}

function hasControl(name: string): boolean {
	for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) < 0x20) return true;
	return false;
}
