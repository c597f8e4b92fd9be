/**
 * Shows threads with a port to an engine that its Worker is alive. Browsers do not report to a port that the Worker at its other end
 * has ended with its tab.
 * Owns: a lock with a unique name. The engine's page holds it until the page or the Worker ends.
 */

export interface EngineLife {
	/** Resolves to the lock's name once it is held. Any later holder of the lock knows that the engine is gone. */
	readonly lock: Promise<string>;
	end(): void;
}

export function beginLife(): EngineLife {
	const name = `orrery-engine/${crypto.randomUUID()}`;
	const { promise: life, resolve: end } = Promise.withResolvers<void>();
	const lock = new Promise<string>((resolve, reject) => {
		navigator.locks
			.request(name, () => {
				resolve(name);
				return life;
			})
			.catch(reject);
	});
	return { lock, end };
}
