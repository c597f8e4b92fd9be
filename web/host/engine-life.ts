/**
 * Shows other threads with a port to an engine whether its Worker is alive. Browsers do not report that the Worker at the other
 * end of a port has ended.
 * Owns: a lock with a unique name. The engine's page holds it until the page or the Worker ends.
 */

export interface EngineLife {
	/** Resolves to the lock's name once it is held. When another thread gets the lock, the engine is gone. */
	readonly lock: Promise<string>;
	/** Releases the lock. */
	end(): void;
}

/** Acquires a lock with a new name. */
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
