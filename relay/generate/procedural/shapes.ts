/**
 * Shapes that are generated for each prompt, beside the models of the project. A shape stands on the origin and faces -z.
 * Owns: the look of each shape, from a colour, a number of sides and random numbers.
 * In these functions `s` is the sculpture, and `w`, `h`, `d` and `r` are width, height, depth and radius.
 */

import type { RandomSource } from './chance.ts';
import {
	BLACK,
	EMBER,
	GOLD,
	GOLD_DARK,
	IRON,
	IRON_DARK,
	LEAF,
	LEAF_DARK,
	LEATHER,
	STEEL,
	STONE,
	STONE_DARK,
	STONE_LIGHT,
	WOOD,
	WOOD_DARK,
	WOOD_LIGHT,
} from './hues.ts';
import type { Hue, Sculpture } from './sculpture.ts';
import {
	around,
	ball,
	beam,
	box,
	cone,
	cylinder,
	lathe,
	lump,
	move,
	pair,
	plate,
	type Solid,
	stretch,
	taper,
	turn,
} from './solid.ts';

export interface ShapeLook {
	readonly hue: Hue;
	/** Number of sides of round parts. */
	readonly sides: number;
	readonly chance: RandomSource;
}

type Shape = (s: Sculpture, look: ShapeLook) => void;

/** Returns a colour with its brightness multiplied by a factor. */
function shade(hue: Hue, factor: number): Hue {
	const part = (shift: number): number => Math.min(255, Math.round(((hue >> shift) & 255) * factor)) << shift;
	return part(16) | part(8) | part(0);
}

/** Returns a gradient from darker to brighter around a colour. */
const shaded = (hue: Hue): readonly [Hue, Hue] => [shade(hue, 0.72), shade(hue, 1.12)];
const randomBetween = (chance: RandomSource, min: number, max: number): number =>
	min + (max - min) * chance();
const randomCount = (chance: RandomSource, min: number, max: number): number =>
	Math.floor(randomBetween(chance, min, max + 1));

const crystal: Shape = (s, { hue, chance }) => {
	s.add(stretch(lump(0.5, 3, 0.3), 1.2, 0.4, 1.2), [STONE_DARK, STONE]);
	const spike = (h: number, r: number): Solid => lathe(6, [r * 0.7, 0], [r, h * 0.55], [0, h]);
	s.add(move(spike(randomBetween(chance, 1.1, 1.5), 0.24), 0, 0.05, 0), shaded(hue));
	const spikeCount = randomCount(chance, 4, 7);
	for (let i = 0; i < spikeCount; i++) {
		const solid = turn(
			spike(randomBetween(chance, 0.45, 0.9), randomBetween(chance, 0.1, 0.17)),
			'x',
			randomBetween(chance, 16, 38),
		);
		s.add(
			turn(move(solid, 0, 0.05, 0.14), 'y', (i * 360) / spikeCount + randomBetween(chance, -15, 15)),
			shaded(hue),
		);
	}
};

const sword: Shape = (s, { hue, sides, chance }) => {
	const length = randomBetween(chance, 0.8, 1.15);
	s.add(move(ball(0.06, sides, 3), 0, 0.06, 0), GOLD, 'metal');
	s.add(move(cylinder(sides, 0.035, 0.24), 0, 0.1, 0), hue);
	s.add(move(taper(0.42, 0.07, 0.34, 0.06, 0.06), 0, 0.34, 0), GOLD_DARK, 'metal');
	s.add(move(taper(0.12, 0.035, 0.08, 0.03, length), 0, 0.4, 0), [IRON, STEEL], 'metal');
	s.add(move(taper(0.08, 0.03, 0, 0.02, 0.14), 0, 0.4 + length, 0), STEEL, 'metal');
	s.add(move(box(0.03, length * 0.8, 0.045), 0, 0.42, 0), IRON_DARK, 'metal');
};

const shield: Shape = (s, { hue }) => {
	const outline = (grow: number): Solid =>
		plate(
			0.08,
			[-0.4 - grow, 1.02 + grow],
			[0.4 + grow, 1.02 + grow],
			[0.4 + grow, 0.5],
			[0.22 + grow * 0.7, 0.14 - grow * 0.6],
			[0, -grow],
			[-0.22 - grow * 0.7, 0.14 - grow * 0.6],
			[-0.4 - grow, 0.5],
		);
	s.add(outline(0.05), [IRON_DARK, IRON], 'metal');
	s.add(move(outline(-0.02), 0, 0, -0.03), shaded(hue));
	s.add(move(box(0.1, 0.82, 0.06), 0, 0.12, -0.07), GOLD, 'metal');
	s.add(move(box(0.62, 0.1, 0.06), 0, 0.62, -0.07), GOLD, 'metal');
	s.add(move(ball(0.11, 8, 3), 0, 0.67, -0.08), GOLD, 'metal');
};

const axe: Shape = (s, { hue, chance }) => {
	s.add(box(0.07, 1.15, 0.07), [WOOD_DARK, WOOD]);
	s.add(move(box(0.1, 0.2, 0.1), 0, 0.12, 0), hue);
	const blade = randomBetween(chance, 0.34, 0.46);
	const head = plate(0.06, [0.02, 0.82], [blade, 0.7], [blade + 0.05, 0.95], [blade, 1.2], [0.02, 1.06]);
	s.add(chance() < 0.5 ? pair(head) : head, [IRON, STEEL], 'metal');
	s.add(move(box(0.14, 0.3, 0.12), 0, 0.8, 0), IRON_DARK, 'metal');
};

const bottle: Shape = (s, { hue, sides, chance }) => {
	const r = randomBetween(chance, 0.24, 0.34);
	s.add(lathe(sides, [r * 0.8, 0], [r, 0.1], [r, 0.26], [r * 0.4, 0.46]), shaded(hue));
	s.add(move(cylinder(sides, r * 0.34, 0.16), 0, 0.44, 0), shade(hue, 1.25));
	s.add(move(cylinder(sides, r * 0.42, 0.04), 0, 0.56, 0), GOLD_DARK, 'metal');
	s.add(move(lathe(sides, [r * 0.26, 0], [r * 0.32, 0.12]), 0, 0.6, 0), WOOD_LIGHT);
	s.add(move(cylinder(sides, r * 1.02, 0.06), 0, 0.15, 0), GOLD, 'metal');
};

const vase: Shape = (s, { hue, sides, chance }) => {
	const [belly, neck] = [randomBetween(chance, 0.3, 0.42), randomBetween(chance, 0.12, 0.2)];
	const h = randomBetween(chance, 0.7, 1.0);
	s.add(
		lathe(
			sides,
			[0.2, 0],
			[belly, h * 0.4],
			[neck, h * 0.82],
			[neck * 1.5, h],
			[neck * 1.1, h - 0.02],
			[0, h - 0.1],
		),
		shaded(hue),
	);
	s.add(move(cylinder(sides, belly * 1.01, 0.05), 0, h * 0.38, 0), shade(hue, 0.5));
};

const mushroom: Shape = (s, { hue, sides, chance }) => {
	const h = randomBetween(chance, 0.5, 0.8);
	s.add(lathe(sides, [0.2, 0], [0.13, h * 0.5], [0.16, h]), [0xd8cbb0, 0xf4ecda]);
	const cap = randomBetween(chance, 0.45, 0.6);
	s.add(
		move(lathe(sides, [0.12, -0.04], [cap, 0], [cap * 0.86, 0.2], [cap * 0.4, 0.38], [0, 0.43]), 0, h, 0),
		shaded(hue),
	);
	const dots = randomCount(chance, 5, 8);
	s.add(
		around(dots, cap * 0.78, move(ball(0.07, 6, 2), 0, h + 0.2, 0), randomBetween(chance, 0, 60)),
		0xf6f0e2,
	);
	s.add(move(ball(0.08, 6, 2), 0, h + 0.4, 0), 0xf6f0e2);
	s.add(move(stretch(lump(0.2, 5), 1, 0.4, 1), 0.24, 0.02, 0.12), [LEAF_DARK, LEAF]);
};

const car: Shape = (s, { hue, sides, chance }) => {
	const w = 1.1;
	s.add(move(taper(w, 2.3, w * 0.96, 2.2, 0.36), 0, 0.26, 0), shaded(hue));
	s.add(
		move(taper(w * 0.92, 1.25, w * 0.74, 0.8, 0.36), 0, 0.62, randomBetween(chance, 0, 0.25)),
		shade(hue, 0.9),
	);
	s.add(move(taper(w * 0.94, 1.1, w * 0.78, 0.78, 0.28), 0, 0.64, 0.12), BLACK);
	const wheel = turn(move(cylinder(Math.max(8, sides), 0.26, 0.18), 0, -0.09, 0), 'z', 90);
	const hub = turn(move(cylinder(Math.max(8, sides), 0.12, 0.2), 0, -0.1, 0), 'z', 90);
	for (const z of [-0.74, 0.74]) {
		s.add(pair(move(wheel, w / 2 - 0.04, 0.26, z)), BLACK);
		s.add(pair(move(hub, w / 2 - 0.04, 0.26, z)), STEEL, 'metal');
	}
	s.add(pair(move(box(0.2, 0.11, 0.05), 0.34, 0.4, -1.13)), EMBER, 'glow');
	s.add(move(box(w, 0.1, 0.08), 0, 0.27, -1.14), IRON, 'metal');
	s.add(move(box(w, 0.1, 0.08), 0, 0.27, 1.14), IRON, 'metal');
};

const rocket: Shape = (s, { hue, sides, chance }) => {
	const h = randomBetween(chance, 1.9, 2.5);
	const round = Math.max(8, sides);
	s.add(
		move(lathe(round, [0.26, 0], [0.36, h * 0.25], [0.34, h * 0.65], [0.2, h * 0.85]), 0, 0.3, 0),
		[0xcfd3d8, 0xf2f2ee],
	);
	s.add(move(lathe(round, [0.205, 0], [0, h * 0.2]), 0, 0.3 + h * 0.85, 0), shaded(hue));
	s.add(move(cylinder(round, 0.365, 0.12), 0, 0.3 + h * 0.28, 0), hue);
	const fin = plate(0.06, [0.22, 0], [0.66, -0.28], [0.66, 0.12], [0.3, 0.7]);
	for (let i = 0; i < 4; i++) s.add(turn(move(fin, 0, 0.3, 0), 'y', i * 90 + 45), shaded(hue));
	s.add(move(ball(0.14, round, 3), 0, 0.3 + h * 0.58, -0.27), 0x6fb8d8);
	s.add(move(lathe(round, [0.1, 0], [0.22, 0.2]), 0, 0.12, 0), IRON_DARK, 'metal');
	s.add(move(turn(cone(round, 0.16, 0.3), 'x', 180), 0, 0.3, 0), EMBER, 'glow');
};

const boat: Shape = (s, { hue, chance }) => {
	const hull = plate(0.9, [-1.2, 0.55], [1.3, 0.6], [0.95, 0.05], [-0.95, 0]);
	s.add(turn(hull, 'y', 90), [WOOD_DARK, WOOD]);
	s.add(move(box(0.96, 0.08, 2.3), 0, 0.52, 0), WOOD_LIGHT);
	const h = randomBetween(chance, 1.7, 2.2);
	s.add(move(cylinder(6, 0.06, h), 0, 0.5, -0.1), WOOD_DARK);
	const sail = plate(0.04, [0, 0.3], [1.0, 0.36], [0.1, h - 0.15], [0, h - 0.1]);
	s.add(turn(move(sail, 0.05, 0.5, 0), 'y', -82), shaded(hue));
	s.add(move(box(0.3, 0.2, 0.02), 0.16, 0.5 + h - 0.1, -0.1), shade(hue, 0.7));
};

const robot: Shape = (s, { hue, sides, chance }) => {
	s.add(pair(move(box(0.2, 0.42, 0.24), 0.16, 0, 0)), [IRON_DARK, IRON], 'metal');
	s.add(pair(move(box(0.26, 0.12, 0.36), 0.16, 0, -0.04)), IRON_DARK, 'metal');
	s.add(move(taper(0.6, 0.4, 0.72, 0.46, 0.56), 0, 0.42, 0), shaded(hue));
	s.add(move(box(0.34, 0.2, 0.04), 0, 0.62, -0.24), BLACK);
	s.add(pair(move(ball(0.035, 6, 2), 0.08, 0.72, -0.26)), EMBER, 'glow');
	for (const side of [1, -1]) {
		s.add(move(ball(0.13, 8, 3), side * 0.44, 0.88, 0), IRON, 'metal');
		s.add(move(box(0.15, 0.44, 0.17), side * 0.46, 0.42, 0), shaded(hue));
		s.add(move(box(0.19, 0.14, 0.2), side * 0.46, 0.3, 0), IRON_DARK, 'metal');
	}
	s.add(move(cylinder(8, 0.1, 0.1), 0, 0.98, 0), IRON_DARK, 'metal');
	const head =
		chance() < 0.5 ? box(0.44, 0.34, 0.38) : lathe(Math.max(8, sides), [0.24, 0], [0.26, 0.2], [0.12, 0.36]);
	s.add(move(head, 0, 1.06, 0), shaded(hue));
	s.add(pair(move(box(0.09, 0.07, 0.06), 0.1, 1.2, -0.22)), EMBER, 'glow');
	s.add(move(cylinder(5, 0.02, 0.2), 0.1, 1.38, 0), IRON);
	s.add(move(ball(0.05, 6, 2), 0.1, 1.6, 0), EMBER, 'glow');
};

const chair: Shape = (s, { hue, chance }) => {
	for (const z of [-0.2, 0.2]) s.add(pair(move(box(0.07, 0.46, 0.07), 0.21, 0, z)), WOOD_DARK);
	s.add(move(box(0.54, 0.08, 0.54), 0, 0.44, 0), [WOOD, WOOD_LIGHT]);
	s.add(move(box(0.46, 0.05, 0.44), 0, 0.52, -0.02), shaded(hue));
	const back = randomBetween(chance, 0.5, 0.85);
	s.add(pair(move(box(0.07, back, 0.07), 0.22, 0.5, 0.22)), WOOD_DARK);
	for (let i = 0; i < 3; i++)
		s.add(move(box(0.44, 0.1, 0.05), 0, 0.62 + (i * (back - 0.18)) / 3, 0.22), WOOD);
	s.add(move(box(0.56, 0.1, 0.09), 0, 0.46 + back, 0.22), hue);
};

const table: Shape = (s, { hue, chance }) => {
	const [w, d] = [randomBetween(chance, 1.1, 1.6), randomBetween(chance, 0.7, 0.95)];
	for (const z of [-1, 1])
		s.add(pair(move(taper(0.1, 0.1, 0.13, 0.13, 0.7), w / 2 - 0.12, 0, z * (d / 2 - 0.12))), WOOD_DARK);
	s.add(move(box(w, 0.09, d), 0, 0.7, 0), [WOOD, WOOD_LIGHT]);
	s.add(move(box(w * 0.4, 0.02, d + 0.04), 0, 0.785, 0), hue);
	s.add(pair(move(box(w * 0.4, 0.26, 0.02), 0, 0.54, d / 2 + 0.02)), shade(hue, 0.85));
	s.add(move(lathe(8, [0.07, 0], [0.1, 0.14]), randomBetween(chance, -0.4, 0.4), 0.8, 0), GOLD, 'metal');
};

const animal: Shape = (s, { hue, chance }) => {
	const dark = shade(hue, 0.6);
	const body = randomBetween(chance, 0.5, 0.66);
	for (const z of [-0.3, 0.3]) {
		s.add(pair(move(taper(0.12, 0.13, 0.15, 0.16, 0.42), 0.15, 0, z)), [dark, hue]);
		s.add(pair(move(box(0.14, 0.07, 0.17), 0.15, 0, z - 0.02)), BLACK);
	}
	s.add(move(stretch(ball(0.5, 8, 4), 0.56, 0.54, 1), 0, body, 0), shaded(hue));
	s.add(move(turn(taper(0.2, 0.2, 0.24, 0.26, 0.34), 'x', -40), 0, body + 0.1, -0.36), hue);
	s.add(move(stretch(ball(0.22, 8, 4), 0.92, 0.9, 1), 0, body + 0.42, -0.56), shaded(hue));
	s.add(move(taper(0.2, 0.2, 0.16, 0.16, 0.15), 0, body + 0.29, -0.76), shade(hue, 1.15));
	s.add(move(box(0.08, 0.06, 0.04), 0, body + 0.4, -0.87), BLACK);
	s.add(pair(move(ball(0.035, 6, 2), 0.1, body + 0.5, -0.73)), BLACK);
	s.add(
		pair(
			move(
				turn(lathe(4, [0.08, 0], [0, randomBetween(chance, 0.14, 0.3)]), 'z', -14),
				0.12,
				body + 0.56,
				-0.5,
			),
		),
		dark,
	);
	s.add(beam(0.08, [0, body + 0.1, 0.46], [0, body + randomBetween(chance, 0.1, 0.45), 0.8]), dark);
};

const bird: Shape = (s, { hue, chance }) => {
	s.add(pair(move(cylinder(5, 0.025, 0.2), 0.08, 0, 0)), EMBER);
	s.add(pair(move(box(0.1, 0.03, 0.16), 0.08, 0, -0.05)), EMBER);
	s.add(move(turn(stretch(ball(0.28, 8, 4), 0.85, 0.9, 1.2), 'x', -18), 0, 0.42, 0), shaded(hue));
	s.add(move(ball(0.18, 8, 4), 0, 0.74, -0.18), shade(hue, 1.1));
	s.add(move(turn(cone(5, 0.07, 0.18), 'x', -90), 0, 0.72, -0.33), EMBER);
	s.add(pair(move(ball(0.035, 6, 2), 0.1, 0.79, -0.31)), BLACK);
	s.add(
		pair(move(turn(stretch(ball(0.24, 7, 3), 0.3, 0.8, 1.1), 'x', -24), 0.25, 0.44, 0.06)),
		shade(hue, 0.7),
	);
	s.add(
		move(turn(taper(0.2, 0.04, 0.32, 0.03, randomBetween(chance, 0.3, 0.5)), 'x', 60), 0, 0.44, 0.24),
		shade(hue, 0.6),
	);
};

const orb: Shape = (s, { hue, sides, chance }) => {
	s.add(lathe(8, [0.36, 0], [0.34, 0.1], [0.2, 0.16], [0.26, 0.34]), [STONE_DARK, STONE_LIGHT]);
	s.add(move(ball(0.5, Math.max(10, sides), 7), 0, 0.78, 0), shaded(hue));
	const ring = lathe(Math.max(12, sides), [0.66, -0.02], [0.74, 0], [0.66, 0.02]);
	s.add(move(turn(ring, 'x', randomBetween(chance, -25, 25)), 0, 0.78, 0), GOLD, 'metal');
};

const star: Shape = (s, { hue }) => {
	const outline = Array.from({ length: 10 }, (_, i): [number, number] => {
		const [r, angle] = [i % 2 === 0 ? 0.6 : 0.26, (i * Math.PI) / 5];
		return [r * Math.sin(angle), 0.75 + r * Math.cos(angle)];
	});
	s.add(plate(0.22, ...outline), shaded(hue), 'metal');
	s.add(lathe(8, [0.3, 0], [0.26, 0.08], [0.06, 0.14], [0.05, 0.3]), [STONE_DARK, STONE_LIGHT]);
};

const flower: Shape = (s, { hue, chance }) => {
	const h = randomBetween(chance, 0.6, 0.95);
	s.add(cylinder(5, 0.035, h), [LEAF_DARK, LEAF]);
	s.add(pair(move(turn(stretch(ball(0.2, 6, 2), 1, 0.16, 0.5), 'z', 24), 0.18, h * 0.35, 0)), [
		LEAF_DARK,
		LEAF,
	]);
	const petals = randomCount(chance, 5, 9);
	const petal = turn(stretch(ball(0.2, 6, 3), 0.7, 0.22, 1), 'x', -22);
	s.add(around(petals, 0.22, move(petal, 0, h + 0.02, 0)), shaded(hue));
	s.add(move(stretch(ball(0.13, 8, 3), 1, 0.7, 1), 0, h + 0.05, 0), GOLD);
};

const cactus: Shape = (s, { hue, chance }) => {
	const green = shade(hue === 0 ? LEAF : LEAF_DARK, 1.1);
	const h = randomBetween(chance, 1.2, 1.8);
	s.add(lathe(8, [0.22, 0], [0.26, h * 0.5], [0.2, h * 0.92], [0.06, h]), [green, LEAF]);
	for (const side of [1, -1]) {
		const y = h * randomBetween(chance, 0.3, 0.55);
		s.add(beam(0.17, [0, y, 0], [side * 0.46, y + 0.08, 0]), green);
		s.add(move(lathe(7, [0.11, 0], [0.12, 0.3], [0.04, 0.5]), side * 0.46, y, 0), [green, LEAF]);
	}
	s.add(move(ball(0.1, 6, 2), 0, h, 0), hue);
};

/** Figure of stacked forms, for a prompt without a known word. Each prompt gives another one. */
const idol: Shape = (s, { hue, sides, chance }) => {
	s.add(lathe(8, [0.5, 0], [0.46, 0.12], [0.4, 0.16]), [STONE_DARK, STONE_LIGHT]);
	let y = 0.16;
	let width = randomBetween(chance, 0.34, 0.44);
	const parts = randomCount(chance, 3, 5);
	for (let i = 0; i < parts; i++) {
		const h = randomBetween(chance, 0.22, 0.42);
		const tone = shade(hue, randomBetween(chance, 0.75, 1.2));
		const forms: readonly Solid[] = [
			lathe(sides, [width, 0], [width * 1.15, h * 0.5], [width * 0.8, h]),
			taper(width * 1.7, width * 1.7, width * 1.2, width * 1.2, h),
			move(stretch(ball(width, sides, 4), 1, h / (2 * width), 1), 0, h / 2, 0),
			lathe(6, [width * 0.6, 0], [width, h * 0.6], [width * 0.5, h]),
		];
		s.add(
			move(turn(forms[Math.floor(chance() * forms.length)]!, 'y', randomBetween(chance, 0, 45)), 0, y, 0),
			shaded(tone),
		);
		if (chance() < 0.5) s.add(move(cylinder(sides, width * 0.9, 0.05), 0, y + h - 0.03, 0), GOLD, 'metal');
		y += h;
		width *= randomBetween(chance, 0.72, 0.95);
	}
	s.add(move(lathe(6, [width * 0.4, 0], [width * 0.5, 0.14], [0, 0.4]), 0, y, 0), LEATHER);
	s.add(move(ball(0.09, 8, 3), 0, y + 0.42, 0), EMBER, 'glow');
};

export const SHAPES: Readonly<Record<string, Shape>> = {
	crystal,
	sword,
	shield,
	axe,
	bottle,
	vase,
	mushroom,
	car,
	rocket,
	boat,
	robot,
	chair,
	table,
	animal,
	bird,
	orb,
	star,
	flower,
	cactus,
	idol,
};
