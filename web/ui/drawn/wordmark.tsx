/**
 * The wordmark and the emblem as drawings.
 * Owns: their lines, and the rings of the start page.
 */

/** ORRERY in lines; the first letter is an orbit with its planet. */
export function Wordmark() {
	return (
		<svg class="wordmark" viewBox="0 0 148 24" role="img" aria-label="Orrery">
			<title>Orrery</title>
			<path
				class="letters"
				d="M11 2.500a9.500 9.500 0 1 1-.01 0M34 21.500V2.500h6.500a5 5 0 0 1 0 10.200H34M40.500 12.700l6.500 8.800M59 21.500V2.500h6.500a5 5 0 0 1 0 10.200H59M65.500 12.700l6.500 8.800M96 2.500H84.500v19H96M84.500 11.800h9.500M108 21.500V2.500h6.500a5 5 0 0 1 0 10.200H108M114.500 12.700l6.500 8.800M130 2.500l7.500 9.500l7.500-9.500M137.500 12v9.500"
			/>
			<circle class="planet" cx="18" cy="5.500" r="3" />
		</svg>
	);
}

/** The emblem of the rail: two orbits and their sun. */
export function Emblem() {
	return (
		<svg class="emblem" viewBox="-14 -14 28 28" aria-hidden="true">
			<circle r="10.500" />
			<circle r="6" />
			<path d="M0-13.200v2M0 11.200v2M-13.200 0h2M11.200 0h2" />
			<circle class="full" r="2.200" />
			<circle class="full" cx="7.400" cy="-7.400" r="1.700" />
			<circle class="full" cx="-6" cy="0" r="1.200" />
		</svg>
	);
}

/**
 * The rings behind the words of the start page. The outer one turns once in 120 s of world time, the inner ones faster.
 * They stand still while the world is paused.
 */
export function Rings({ tick }: { readonly tick: number }) {
	const marks = Array.from({ length: 120 }, (_, i) => {
		const angle = (i / 120) * Math.PI * 2;
		const [x, y] = [Math.cos(angle), Math.sin(angle)];
		const outer = i % 10 === 0 ? 199 : 196;
		return `M${(x * 192).toFixed(1)} ${(y * 192).toFixed(1)}L${(x * outer).toFixed(1)} ${(y * outer).toFixed(1)}`;
	}).join('');
	return (
		<svg class="rings" viewBox="-200 -200 400 400" aria-hidden="true">
			<circle r="190" />
			<path d={marks} />
			{[148, 104, 60].map((radius, i) => (
				<g key={radius} transform={`rotate(${((tick / 60 / (120 - i * 30)) % 1) * 360})`}>
					<circle r={radius} />
					<circle
						class="full"
						cx={(-radius * Math.cos(0.5 + i)).toFixed(1)}
						cy={(radius * Math.sin(0.5 + i)).toFixed(1)}
						r={[8, 6, 4][i]}
					/>
				</g>
			))}
		</svg>
	);
}
