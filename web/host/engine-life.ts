/**
 * Shows threads with a port to an engine that its Worker is alive. Browsers do not report on a port that the Worker
 * at its other end ended with its tab.
 * Owns: a lock of a name of its own, held by the engine's page until that ends or ends the Worker.
 */

export interface EngineLife {
	/** The lock's name, once it is held: a holder of that lock knows that the engine is gone. */
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
