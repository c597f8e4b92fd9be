/**
 * Clips of figures: idle, walk, attack and die.
 * Owns: the movements of whole figures. Sines and cosines of angles are written out, so all machines make the same file.
 */

import type { Movement } from '../../../relay/generate/procedural/sculpture.ts';

const NO_TURN = [0, 0, 0, 1] as const;

/** Sine and cosine of half of each angle in the clips, by degrees. */
const HALF_ANGLES: Readonly<Record<number, readonly [sine: number, cosine: number]>> = {
	4: [0.0349, 0.9994],
	10: [0.0872, 0.9962],
	28: [0.2419, 0.9703],
	45: [0.3827, 0.9239],
	88: [0.6947, 0.7193],
};

/** Returns a rotation around x or z; around x, negative angles lean forwards. */
function rotation(axis: 'x' | 'z', degrees: number): readonly number[] {
	const [sine, cosine] = HALF_ANGLES[Math.abs(degrees)]!;
	const axisPart = Math.sign(degrees) * sine;
	return axis === 'x' ? [axisPart, 0, 0, cosine] : [0, 0, axisPart, cosine];
}

export const FIGHTER_CLIPS: readonly Movement[] = [
	{
		name: 'idle',
		times: [0, 1, 2],
		shifts: [0, 0, 0, 0, 0.02, 0, 0, 0, 0],
		turns: [...NO_TURN, ...NO_TURN, ...NO_TURN],
	},
	{
		name: 'walk',
		times: [0, 0.15, 0.3, 0.45, 0.6],
		shifts: [0, 0, 0, 0, 0.06, 0, 0, 0, 0, 0, 0.06, 0, 0, 0, 0],
		turns: [...NO_TURN, ...rotation('z', 4), ...NO_TURN, ...rotation('z', -4), ...NO_TURN],
	},
	{
		name: 'attack',
		times: [0, 0.15, 0.28, 0.5],
		shifts: [0, 0, 0, 0, 0, 0.08, 0, 0.03, -0.28, 0, 0, 0],
		turns: [...NO_TURN, ...rotation('x', 10), ...rotation('x', -28), ...NO_TURN],
	},
	{
		name: 'die',
		times: [0, 0.35, 0.7],
		shifts: [0, 0, 0, 0, 0.05, 0.1, 0, 0.2, 0.3],
		turns: [...NO_TURN, ...rotation('x', 45), ...rotation('x', 88)],
	},
];
