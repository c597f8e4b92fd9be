/**
 * Ends the program in order: on Ctrl-C, on SIGTERM, and when the process that started it is gone.
 * Owns: those signals. Never: ends anything that was not registered here.
 */

type End = () => Promise<void> | void;

const ends: End[] = [];
let stopping: Promise<never> | undefined;

/** Registers something to be ended; the last registered ends first. */
export function onShutdown(end: End): void {
	ends.push(end);
}

/** Ends everything registered, then the process with this code. A failing end does not keep the others from theirs. */
export function shutDown(code: number): Promise<never> {
	stopping ??= (async () => {
		for (const end of ends.reverse()) {
			try {
				await end();
			} catch (error) {
				console.error(error instanceof Error ? error.message : error);
			}
		}
		process.exit(code);
	})();
	return stopping;
}

/** From here on, signals end the program in order. */
export function listenForSignals(): void {
	process.on('SIGINT', () => void shutDown(130));
	process.on('SIGTERM', () => void shutDown(143));
	process.on('SIGHUP', () => void shutDown(129));
	process.on('disconnect', () => void shutDown(1));
	// The channel to the set-up step must not keep a finished program alive.
	process.channel?.unref();
}
