/**
 * Pictures of a run: before and after, or the picture in the answer.
 * Owns: the addresses of the pictures, which are revoked at the end.
 */

import { useEffect, useState } from 'preact/hooks';
import type { WorldRun } from './run-example.ts';

export function Pictures({
	run,
	why,
}: {
	readonly run: WorldRun;
	/** Reason why there is no picture; null while one is taken. */
	readonly why: string | null;
}) {
	const { before, after, answer } = run;
	const figures = [
		...(answer.picture === undefined ? [] : ([['Answer', answer.picture]] as const)),
		...(after === undefined ? [] : ([[before === undefined ? 'The world' : 'After', after]] as const)),
		...(before === undefined ? [] : ([['Before', before]] as const)),
	];
	if (figures.length === 0 && why === null) return <p class="no-picture">Taking the picture.</p>;
	if (figures.length === 0)
		return <p class="no-picture">{why === '' ? 'No picture was taken.' : `There is no picture. ${why}`}</p>;
	return (
		<div class="pictures">
			{figures.map(([name, blob]) => (
				<Picture key={name} name={name} blob={blob} />
			))}
		</div>
	);
}

function Picture({ name, blob }: { readonly name: string; readonly blob: Blob }) {
	const [url, setUrl] = useState<string | null>(null);
	useEffect(() => {
		const newUrl = URL.createObjectURL(blob);
		setUrl(newUrl);
		return () => URL.revokeObjectURL(newUrl);
	}, [blob]);
	return (
		<figure>
			{url !== null && <img src={url} alt={`${name}: the fork as its camera sees it`} />}
			<figcaption>{name}</figcaption>
		</figure>
	);
}
