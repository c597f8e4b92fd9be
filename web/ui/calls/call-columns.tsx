/**
 * The columns of a table of calls, and their headings for screen readers.
 * Owns: the list of columns and its order.
 */

export const CALL_HEADS = ['Tick', 'From', 'Method', 'Path', 'World', 'ms', 'Status'] as const;

/** Sets the widths of the columns. Each table of calls begins with it. */
export function CallColumns() {
	return (
		<colgroup>
			{CALL_HEADS.map((head) => (
				<col key={head} class={`col-${head.toLowerCase()}`} />
			))}
		</colgroup>
	);
}

/** Headings for screen readers only. */
export function ScreenReaderHeads() {
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
