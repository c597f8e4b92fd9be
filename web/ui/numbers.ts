/**
 * Numbers for people: groups of three with thin spaces, a true minus sign, and units.
 * Owns: formatting and parsing numbers in panels. Never: rounds a number that is sent to the engine.
 */

const THIN = '\u202f';
const MINUS = '\u2212';

/** Formats `43447` as `43 447`, with narrow no-break spaces and at most `digits` decimals. */
export function formatNumber(value: number, digits = 3): string {
	if (!Number.isFinite(value)) return String(value);
	const size = Math.abs(value);
	if (size >= 1e15 || (size > 0 && size < 10 ** -digits / 2)) {
		return value.toExponential(2).replaceAll('-', MINUS);
	}
	const [whole = '0', part = ''] = size.toFixed(digits).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
	const decimals = part.replace(/0+$/, '');
	const text = decimals === '' ? grouped : `${grouped}.${decimals}`;
	return value < 0 && Number(text.replaceAll(THIN, '')) !== 0 ? `${MINUS}${text}` : text;
}

/**
 * Returns the number of decimals that fit if three numbers share a line: 2 below 100, 1 below 1000, otherwise 0.
 */
export function axisDigits(value: number): number {
	const size = Math.abs(value);
	return size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
}

/** Formats a number with all its digits and a true minus sign. */
export function exactNumber(value: number): string {
	return String(value).replaceAll('-', MINUS);
}

/** Parses a typed number. Accepts spaces, a true minus sign and a decimal comma. Null if the text is not a number. */
export function readNumber(text: string): number | null {
	const plain = text.replace(/\s/g, '').replaceAll(MINUS, '-').replace(',', '.');
	if (plain === '' || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
	const value = Number(plain);
	return Number.isFinite(value) ? value : null;
}

/** Formats ticks of 1/60 s as time: `12 min 4.1 s`. */
export function formatTime(ticks: number): string {
	const tenths = Math.round(ticks / 6);
	const hours = Math.floor(tenths / 36_000);
	const minutes = Math.floor(tenths / 600) % 60;
	const seconds = ((tenths % 600) / 10).toFixed(1);
	if (hours > 0) return `${formatNumber(hours)} h ${minutes} min`;
	return minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

/** Formats milliseconds: one decimal below 100, none above. */
export function formatMs(ms: number): string {
	return ms < 99.95 ? ms.toFixed(1) : formatNumber(ms, 0);
}

/** Formats a size: `96 bytes`, `38 kB`, `2.1 MB`. */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
	if (bytes < 999_500) return `${formatNumber(bytes / 1000, bytes < 9950 ? 1 : 0)} kB`;
	return `${formatNumber(bytes / 1e6, 1)} MB`;
}

/** Formats a count with its noun: `1 entity`, `2 entities`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
	return `${formatNumber(number)} ${number === 1 ? singular : plural}`;
}
