/**
 * End of the program: on Ctrl-C, on a signal such as SIGTERM, and when its parent process has ended.
 * Owns: these signals, and the order of the end. Never: ends anything that was not registered here.
 */

type End = () => Promise<void> | void;

const endFunctions: End[] = [];
let stopping: Promise<never> | undefined;

/** Registers a function that runs at the end. The last registered function runs first. */
export function onShutdown(end: End): void {
	endFunctions.push(end);
}

/** Runs all registered functions, then ends the process with this code. If one of them fails, the others still run. */
export function shutDown(code: number): Promise<never> {
	stopping ??= (async () => {
		for (const end of endFunctions.reverse()) {
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

/** Makes signals end the program through `shutDown`. */
export function listenForSignals(): void {
	process.on('SIGINT', () => void shutDown(130));
	process.on('SIGTERM', () => void shutDown(143));
	process.on('SIGHUP', () => void shutDown(129));
	process.on('disconnect', () => void shutDown(1));
	// The channel to the set-up step must not keep a finished program alive.
	process.channel?.unref();
}
