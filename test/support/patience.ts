/** Bound of every wait in a browser test. It notices a hang, not a busy machine. */

/** In milliseconds. */
export const PATIENCE = 90_000;

/** Resolves like `work`, or rejects after PATIENCE and says what was waited for. */
export async function within<T>(what: string | (() => string), work: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => {
			const words = typeof what === 'string' ? what : what();
			reject(new Error(`Waited for ${PATIENCE / 1000} s, in vain: ${words}`));
		}, PATIENCE);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
