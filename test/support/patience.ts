/** Timeout of every wait in a browser test. It is long enough for a busy machine, so only a hang reaches it. */

/** Timeout (ms). */
export const PATIENCE = 90_000;

/** Resolves like `work`, or rejects after PATIENCE with an error that names the awaited event. */
export async function within<T>(awaited: string | (() => string), work: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => {
			const event = typeof awaited === 'string' ? awaited : awaited();
			reject(new Error(`Waited ${PATIENCE / 1000} s in vain until ${event}`));
		}, PATIENCE);
	});
	try {
		return await Promise.race([work, timeout]);
	} finally {
		clearTimeout(timer);
	}
}
