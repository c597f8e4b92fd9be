/**
 * Drawing of a signature: 16 rays around a ring.
 * Owns: the drawing, and that of a comparison. Never: computes the rays.
 */

import { groupDigest, signatureRays } from './digest.ts';

interface SignatureProps {
	readonly digest: string;
	/** Width and height in pixels. */
	readonly size: number;
	/** Digest to compare with: different rays are madder. If none differ, the ring is verdigris. */
	readonly compare?: string;
}

export function Signature({ digest, size, compare }: SignatureProps) {
	const rays = signatureRays(digest);
	const width = size < 30 ? 0.1 : 0.075;
	const comparedRays = compare === undefined ? undefined : signatureRays(compare);
	const equal = compare !== undefined && compare === digest;
	const text = rays.length === 0 ? 'no signature yet' : `signature ${groupDigest(digest)}`;
	const verdict = compare === undefined ? '' : equal ? ', the same' : ', different';
	return (
		<svg
			class="signature"
			viewBox="-1.1 -1.1 2.2 2.2"
			width={size}
			height={size}
			role="img"
			aria-label={text + verdict}
		>
			<title>{text + verdict}</title>
			<circle class={equal ? 'ring equal' : 'ring'} r="0.28" stroke-width={width * 0.7} />
			<circle class="core" r="0.07" />
			{rays.map((ray, index) => (
				<line
					// A ray is identified by its position on the ring.
					key={index}
					class={comparedRays && comparedRays[index]?.digit !== ray.digit ? 'differs' : undefined}
					x1={ray.x1}
					y1={ray.y1}
					x2={ray.x2}
					y2={ray.y2}
					stroke-width={width}
				/>
			))}
		</svg>
	);
}
