/** Number of files and sockets that this process may have open together. Owns: the callers' part of them. */

/** Files that the relay needs for itself: journal, data folder, page, and a browser that is started. */
const OWN = 256;

/** Connections that leave enough for the relay itself, from the limit of the system; infinite where that names none. */
export function roomForConnections(limit = limitOfSystem()): number {
	return limit - Math.min(OWN, limit / 2);
}

function limitOfSystem(): number {
	// No call waits for names of hosts.
	const report = Object.assign(process.report, { excludeNetwork: true });
	const { userLimits } = report.getReport() as {
		readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
	};
	const soft = userLimits?.open_files?.soft;
	return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
