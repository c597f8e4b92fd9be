/** Method of a route in its colour. Owns: its look. */

export function Method({ method }: { readonly method: string }) {
	return <span class={`method-word ${method.toLowerCase()}`}>{method === 'DELETE' ? 'DEL' : method}</span>;
}
