/**
 * The surface of water: a sum of waves that move with its flow.
 * Owns: the waves, so that bodies float on the drawn surface. Never: computes a sine, which each reader does.
 */

/** Waves: direction relative to the flow (a unit vector), share of the wave length, and share of the wave height. */
export const WAVES: readonly {
	readonly direction: readonly [along: number, across: number];
	readonly length: number;
	readonly share: number;
}[] = [
	{ direction: [1, 0], length: 1, share: 0.4 },
	{ direction: [0.8, 0.6], length: 0.62, share: 0.27 },
	{ direction: [0.6, -0.8], length: 0.43, share: 0.2 },
	{ direction: [0.28, 0.96], length: 0.31, share: 0.13 },
];

/** Gravity that determines the speed of waves in deep water (m/s²). */
const GRAVITY = 9.81;

/** One wave in the world: its height is `height * sin(x * alongX + z * alongZ - seconds * turns)`. */
export interface WaterWave {
	/** Radians per metre along x and z. */
	readonly alongX: number;
	readonly alongZ: number;
	/** Radians per second. */
	readonly turns: number;
	/** Height (m). */
	readonly height: number;
}

/** Values of water on which its waves depend. */
export interface WaterSurface {
	readonly wave_height: number;
	readonly wave_length: number;
	readonly wave_speed: number;
	/** Flow along x and z (m/s). */
	readonly flow: readonly number[];
}

/** Returns the direction of the flow along x and z, a unit vector. For still water it is along x. */
export function flowDirection(flow: WaterSurface['flow']): readonly [number, number] {
	const [x, z] = [flow[0]!, flow[1]!];
	const speed = Math.sqrt(x * x + z * z);
	return speed > 0 ? [x / speed, z / speed] : [1, 0];
}

/** Returns the waves of water. Long waves move faster than short ones, as in deep water. */
export function wavesOf({ wave_height, wave_length, wave_speed, flow }: WaterSurface): WaterWave[] {
	const [x, z] = flowDirection(flow);
	return WAVES.map(({ direction: [along, across], length, share }) => {
		const waveNumber = (2 * Math.PI) / (wave_length * length);
		return {
			alongX: waveNumber * (along * x - across * z),
			alongZ: waveNumber * (along * z + across * x),
			turns: Math.sqrt(GRAVITY * waveNumber) * wave_speed,
			height: wave_height * share,
		};
	});
}
