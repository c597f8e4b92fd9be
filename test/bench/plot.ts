/** A plot of costs over the number of entities, both axes logarithmic, as SVG. Owns: the exponent of a line. */

export interface CurvePoint {
	readonly entities: number;
	readonly ms: number;
}

export interface Curve {
	readonly name: string;
	readonly points: readonly CurvePoint[];
	readonly exponent: number;
}

/** Smallest size for the exponent. Below it, the fixed cost of a call dominates. */
const GROWS_FROM = 1000;

/** Returns the exponent k of c * n^k for the points of large worlds, by least squares of the logarithms. */
export function exponentOf(points: readonly CurvePoint[]): number {
	const large = points.filter(({ entities }) => entities >= GROWS_FROM);
	const xs = large.map(({ entities }) => Math.log(entities));
	const ys = large.map(({ ms }) => Math.log(ms));
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(xs), mean(ys)];
	const both = xs.reduce((sum, value, i) => sum + (value - x) * (ys[i]! - y), 0);
	return both / xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
}

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = 210;
const TOP = 16;
const BOTTOM = 44;
const COLORS = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#888888', '#dd7722'];
/** Minimum distance of two labels (pixels). */
const LINE = 15;

interface Scale {
	readonly low: number;
	readonly high: number;
}

/** Returns the powers of ten that enclose some numbers. */
function decades(values: readonly number[]): Scale {
	return {
		low: Math.floor(Math.log10(Math.min(...values))),
		high: Math.ceil(Math.log10(Math.max(...values))),
	};
}

const powers = ({ low, high }: Scale): number[] => Array.from({ length: high - low + 1 }, (_, i) => low + i);

const formatPower = (power: number): string => (10 ** power).toLocaleString('en');

function timeName(power: number): string {
	if (power >= 3) return `${formatPower(power - 3)} s`;
	return power >= 0 ? `${formatPower(power)} ms` : `${formatPower(power + 3)} µs`;
}

/** Returns the plot as an SVG document. */
export function plot(curves: readonly Curve[]): string {
	const all = curves.flatMap(({ points }) => points);
	const across = decades(all.map(({ entities }) => entities));
	const up = decades(all.map(({ ms }) => ms));
	const x = (entities: number) =>
		LEFT + ((Math.log10(entities) - across.low) / (across.high - across.low)) * (WIDTH - LEFT - RIGHT);
	const y = (ms: number) =>
		HEIGHT - BOTTOM - ((Math.log10(ms) - up.low) / (up.high - up.low)) * (HEIGHT - TOP - BOTTOM);
	const grid = [
		...powers(across).map((power) => {
			const at = x(10 ** power).toFixed(1);
			return `<path d="M${at} ${TOP}V${HEIGHT - BOTTOM}" class="grid"/><text x="${at}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${formatPower(power)}</text>`;
		}),
		...powers(up).map((power) => {
			const at = y(10 ** power).toFixed(1);
			return `<path d="M${LEFT} ${at}H${WIDTH - RIGHT}" class="grid"/><text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${timeName(power)}</text>`;
		}),
	];
	const labels = spreadLabels(curves.map(({ points }) => y(points.at(-1)!.ms)));
	const lines = curves.map(({ name, points, exponent }, i) => {
		const color = COLORS[i % COLORS.length];
		const path = points.map(({ entities, ms }) => `${x(entities).toFixed(1)} ${y(ms).toFixed(1)}`).join('L');
		const end = x(points.at(-1)!.entities);
		return `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2"/><text x="${(end + 8).toFixed(1)}" y="${labels[i]!.toFixed(1)}" dy="4" style="fill:${color}">${name}, n^${exponent.toFixed(2)}</text>`;
	});
	const axis = `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">entities</text>`;
	const style = 'text{font:12px sans-serif;fill:#667}.grid{stroke:#8894;stroke-width:1}';
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><style>${style}</style>
${[...grid, ...lines, axis].join('\n')}
</svg>
`;
}

/** Returns heights for labels that do not overlap, near the given heights. */
function spreadLabels(heights: readonly number[]): number[] {
	const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!);
	const result = [...heights];
	let last = Number.NEGATIVE_INFINITY;
	for (const i of order) {
		last = Math.max(heights[i]!, last + LINE);
		result[i] = last;
	}
	return result;
}
