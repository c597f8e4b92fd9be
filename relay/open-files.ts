/** Limit on the files and sockets that this process may have open together. Owns: the callers' share of it. */

/** Files that the relay itself needs: journal, data folder, page, and the pipes of a browser. */
const OWN_FILES = 256;

/**
 * Returns the maximum number of connections that leaves enough files for the relay itself. Returns infinity if the
 * system has no limit.
 */
export function maxConnections(limit = systemLimit()): number {
	return limit - Math.min(OWN_FILES, limit / 2);
}

function systemLimit(): number {
	// Without this, the report would wait for host names from the network.
	const report = Object.assign(process.report, { excludeNetwork: true });
	const { userLimits } = report.getReport() as {
		readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
	};
	const soft = userLimits?.open_files?.soft;
	return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
