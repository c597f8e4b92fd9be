/**
 * Goods of shops, as large as a hand or an arm. Their lowest points are at the origin; fronts face -z.
 * Owns: the look of each model. The models are drawn only as icons, so public/models has no files of them.
 */

import {
	BLACK,
	CLOTH,
	EMBER,
	GOLD,
	GOLD_DARK,
	IRON,
	IRON_DARK,
	LEATHER,
	STEEL,
	WATER,
	WOOD,
	WOOD_DARK,
	WOOD_LIGHT,
} from '../../../relay/generate/procedural/hues.ts';
import { Sculpture } from '../../../relay/generate/procedural/sculpture.ts';
import {
	around,
	ball,
	beam,
	box,
	cylinder,
	lathe,
	lump,
	move,
	pair,
	plate,
	stretch,
	taper,
	turn,
} from '../../../relay/generate/procedural/solid.ts';

const WOOL = [0xd8cbb0, 0xf6efdf] as const;
const DYED = [0x8a3a6e, 0xc25fa0] as const;

function sword(length: number, width: number): Sculpture {
	const s = new Sculpture();
	const blade = plate(
		0.05,
		[-width / 2, 0],
		[width / 2, 0],
		[width / 2, length * 0.85],
		[0, length],
		[-width / 2, length * 0.85],
	);
	s.add(move(blade, 0, 0.34, 0), STEEL, 'metal');
	s.add(move(box(0.03, length * 0.8, 0.07), 0, 0.34, 0), IRON_DARK, 'metal');
	s.add(move(box(width * 2.6, 0.07, 0.1), 0, 0.28, 0), GOLD_DARK, 'metal');
	s.add(move(cylinder(6, 0.045, 0.2), 0, 0.1, 0), LEATHER);
	s.add(move(ball(0.07, 7, 3), 0, 0.07, 0), GOLD, 'metal');
	return s;
}

/** Returns a sword 0.9 m long, point upwards. */
const blade = (): Sculpture => sword(0.62, 0.14);

/** Returns a sword 1.4 m long, point upwards. */
const greatsword = (): Sculpture => sword(1.1, 0.22);

/** Returns a ball of yarn with needles. */
function wool(): Sculpture {
	const s = new Sculpture();
	s.add(move(ball(0.2, 10, 5), 0, 0.2, 0), WOOL);
	for (const angle of [20, 80, 140])
		s.add(move(turn(turn(cylinder(12, 0.205, 0.035), 'x', 90), 'y', angle), 0, 0.2, 0), WOOL);
	s.add(beam(0.03, [-0.24, 0.05, 0.1], [0.22, 0.46, -0.05]), WOOD);
	s.add(beam(0.03, [0.24, 0.05, 0.1], [-0.2, 0.44, -0.05]), WOOD);
	return s;
}

/** Returns three bars of iron in a pile. */
function ingots(): Sculpture {
	const s = new Sculpture();
	const bar = taper(0.5, 0.2, 0.42, 0.13, 0.12);
	s.add(move(bar, 0, 0, -0.12), [IRON_DARK, IRON], 'metal');
	s.add(move(bar, 0, 0, 0.12), [IRON_DARK, IRON], 'metal');
	s.add(move(turn(bar, 'y', 12), 0, 0.12, 0), [IRON, STEEL], 'metal');
	return s;
}

/** Returns three pieces of folded cloth. */
function cloth(): Sculpture {
	const s = new Sculpture();
	for (const [y, hue] of [
		[0, DYED],
		[0.09, [0xb9a88a, CLOTH]],
		[0.18, DYED],
	] as const) {
		s.add(move(box(0.5, 0.07, 0.36), 0, y, 0), hue);
		s.add(move(turn(cylinder(8, 0.036, 0.36), 'x', 90), 0.25, y + 0.036, -0.18), hue);
	}
	return s;
}

/** Returns a basket with loaves and fruit. */
function basket(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(10, [0.2, 0], [0.3, 0.22], [0.27, 0.22]), [WOOD_DARK, WOOD_LIGHT]);
	s.add(move(lathe(10, [0.31, 0], [0.32, 0.05], [0.27, 0.05]), 0, 0.19, 0), WOOD);
	s.add(around(5, 0.16, move(ball(0.09, 7, 3), 0, 0.26, 0)), [0xa63a2e, 0xd8604a]);
	s.add(move(stretch(ball(0.12, 7, 3), 1.5, 0.8, 0.8), 0, 0.3, 0), [0x9a5a28, 0xe0a85c]);
	for (const [from, to] of [
		[-0.29, -0.16],
		[0.29, 0.16],
	] as const)
		s.add(beam(0.04, [from, 0.22, 0], [to, 0.5, 0]), WOOD);
	s.add(beam(0.04, [-0.16, 0.5, 0], [0.16, 0.5, 0]), WOOD);
	return s;
}

/** Returns a pair of boots. */
function boots(): Sculpture {
	const s = new Sculpture();
	const boot = [
		...move(taper(0.15, 0.34, 0.13, 0.26, 0.13), 0, 0.03, -0.04),
		...move(lathe(8, [0.08, 0], [0.09, 0.26], [0.1, 0.3]), 0, 0.12, 0.07),
	];
	s.add(pair(move(boot, 0.12, 0, 0)), [LEATHER, 0x9a6a3c]);
	s.add(pair(move(box(0.16, 0.035, 0.36), 0.12, 0, -0.04)), BLACK);
	s.add(pair(move(box(0.05, 0.05, 0.03), 0.12, 0.24, -0.04)), GOLD, 'metal');
	s.add(pair(move(plate(0.03, [0, 0], [0.16, 0.1], [0.05, 0.02]), 0.2, 0.28, 0.1)), CLOTH);
	return s;
}

/** Returns a hammer across a saw. */
function tools(): Sculpture {
	const s = new Sculpture();
	s.add(beam(0.06, [-0.22, 0.03, 0], [0.16, 0.52, 0]), WOOD_LIGHT);
	s.add(move(turn(box(0.32, 0.13, 0.13), 'z', -38), 0.16, 0.48, 0), [IRON_DARK, STEEL], 'metal');
	s.add(
		move(turn(plate(0.02, [0, 0], [0.5, 0.06], [0.5, 0.1], [0, 0.16]), 'z', 140), 0.22, 0.1, 0.06),
		STEEL,
		'metal',
	);
	s.add(move(turn(box(0.2, 0.1, 0.05), 'z', 140), 0.26, 0.06, 0.06), WOOD_DARK);
	return s;
}

/** Returns ring mail for the chest. */
function mail(): Sculpture {
	const s = new Sculpture();
	s.add(taper(0.42, 0.24, 0.52, 0.28, 0.56), [IRON_DARK, STEEL], 'metal');
	for (const y of [0.1, 0.22, 0.34, 0.46])
		s.add(move(taper(0.45 + y / 7, 0.27, 0.45 + y / 7, 0.27, 0.03), 0, y, 0), IRON_DARK, 'metal');
	s.add(
		pair(move(turn(taper(0.26, 0.26, 0.2, 0.22, 0.24), 'z', -52), 0.22, 0.42, 0)),
		[IRON, STEEL],
		'metal',
	);
	s.add(move(box(0.5, 0.07, 0.3), 0, 0.02, 0), LEATHER);
	s.add(move(box(0.1, 0.1, 0.02), 0, 0.01, -0.16), GOLD, 'metal');
	s.add(move(lathe(8, [0.14, 0], [0.12, 0.05], [0.09, 0.05]), 0, 0.55, 0), GOLD_DARK, 'metal');
	return s;
}

/** Returns a gem on a chain. */
function charm(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(6, [0.02, 0], [0.17, 0.18], [0.12, 0.3], [0, 0.34]), [0x3f86b8, WATER]);
	s.add(move(lathe(6, [0.14, 0], [0.19, 0.06], [0.14, 0.1]), 0, 0.13, 0), GOLD, 'metal');
	s.add(move(lump(0.04, 3, 0.05), 0, 0.35, 0), EMBER);
	for (const side of [-1, 1]) s.add(beam(0.03, [0, 0.34, 0], [0.2 * side, 0.62, 0]), GOLD_DARK, 'metal');
	s.add(beam(0.03, [-0.2, 0.62, 0], [0.2, 0.62, 0]), GOLD_DARK, 'metal');
	return s;
}

export const GOODS: Readonly<Record<string, () => Sculpture>> = {
	blade,
	greatsword,
	wool,
	ingots,
	cloth,
	basket,
	boots,
	tools,
	mail,
	charm,
};
