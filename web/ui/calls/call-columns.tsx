/**
 * The columns of a table of calls, and their heads for screen readers.
 * Owns: which columns there are and their order.
 */

export const CALL_HEADS = ['Tick', 'From', 'Method', 'Path', 'World', 'ms', 'Status'] as const;

/** Widths; each table of calls begins with them. */
export function CallColumns() {
	return (
		<colgroup>
			{CALL_HEADS.map((head) => (
				<col key={head} class={`col-${head.toLowerCase()}`} />
			))}
		</colgroup>
	);
}

/** Heads that are only said. */
export function SaidHeads() {
	return (
		<thead class="only-said">
			<tr>
				{CALL_HEADS.map((head) => (
					<th key={head}>{head}</th>
				))}
			</tr>
		</thead>
	);
}
