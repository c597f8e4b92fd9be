/** Command `orrery worlds`: lists the worlds in a data folder. Owns: the text of the list. */

import { type KeptWorld, WorldFolders } from '../journal/world-folders.ts';
import { formatTable } from './help.ts';

/** Lists the worlds in a data folder. */
export async function listWorlds(data: string): Promise<KeptWorld[]> {
	return new WorldFolders(data).list();
}

/** Returns the list as a table, one line per world. */
export function worldsText(worlds: readonly KeptWorld[], data: string): string {
	if (worlds.length === 0) return `The folder ${data} contains no world.\n`;
	const rows = worlds.map(({ id, name, tick, written, when, bytes, current }): [string, string] => [
		name === '' ? id : name,
		`${tickText(tick, written)}, ${sizeText(bytes)}, written ${when}${name === '' ? '' : `, ${id}`}${current ? ', current' : ''}`,
	]);
	return `${formatTable(rows, '')}\n`;
}

function tickText(tick: number | null, written: boolean): string {
	if (tick !== null) return `tick ${tick}`;
	return written ? 'tick unknown' : 'no tick yet';
}

function sizeText(bytes: number): string {
	const [unit, unitBytes] = (
		[
			['GiB', 2 ** 30],
			['MiB', 2 ** 20],
			['KiB', 2 ** 10],
		] as const
	).find(([, size]) => bytes >= size) ?? ['bytes', 1];
	return `${unitBytes === 1 ? bytes : (bytes / unitBytes).toFixed(1)} ${unit}`;
}
