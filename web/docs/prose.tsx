/** A text of the declarations, with what is between backticks as code. Owns: that reading. */

export function Prose({ text }: { readonly text: string }) {
	return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
