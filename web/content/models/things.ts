/**
 * Scenery and objects of the games. Their lowest points are at the origin unless noted; fronts face -z.
 * Owns: the look of each model. Parts of the surface `tint` take the colour of the entity.
 */

import {
	BLACK,
	BONE,
	CLOTH,
	EMBER,
	GOLD,
	GOLD_DARK,
	IRON,
	IRON_DARK,
	LEATHER,
	STEEL,
	STONE,
	STONE_DARK,
	STONE_LIGHT,
	WATER,
	WHITE,
	WHITE_SHADE,
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
	cone,
	cylinder,
	gable,
	lathe,
	lump,
	move,
	pair,
	plate,
	type Solid,
	stretch,
	taper,
	turn,
} from '../../../relay/generate/procedural/solid.ts';

const TINT = [WHITE_SHADE, WHITE] as const;

/** Returns a guard tower with a roof over a fire, 3.5 m high, 1.7 m wide. */
function tower(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(10, [0.85, 0], [0.82, 0.22], [0.68, 0.3]), STONE_DARK);
	s.add(move(lathe(10, [0.66, 0], [0.54, 1.6]), 0, 0.28, 0), [STONE, STONE_LIGHT]);
	s.add(move(lathe(10, [0.57, 0], [0.56, 0.14]), 0, 1.0, 0), TINT, 'tint');
	s.add(move(lathe(10, [0.54, 0], [0.74, 0.22], [0.74, 0.4]), 0, 1.86, 0), [STONE_DARK, STONE]);
	s.add(around(8, 0.66, move(box(0.24, 0.22, 0.16), 0, 2.24, 0)), STONE_LIGHT);
	// A roof on posts over a fire.
	s.add(around(4, 0.42, move(box(0.09, 0.5, 0.09), 0, 2.24, 0), 45), WOOD_DARK);
	s.add(move(lathe(6, [0.16, 0], [0.2, 0.12], [0.02, 0.36]), 0, 2.28, 0), EMBER, 'glow');
	s.add(move(lathe(8, [0.76, 0], [0.7, 0.05], [0.03, 0.72]), 0, 2.7, 0), TINT, 'tint');
	s.add(move(ball(0.07, 6, 2), 0, 3.45, 0), GOLD, 'metal');
	// A door, slits, and a banner.
	s.add(
		move(plate(0.12, [-0.2, 0], [0.2, 0], [0.2, 0.44], [0, 0.6], [-0.2, 0.44]), 0, 0.24, -0.62),
		WOOD_DARK,
	);
	s.add(around(3, 0.57, move(box(0.09, 0.3, 0.08), 0, 1.34, 0), 90), BLACK);
	s.add(move(box(0.34, 0.5, 0.04), 0, 1.2, -0.63), TINT, 'tint');
	return s;
}

/** Returns the main building of a team: a crystal over a base of steps, 3.4 m high. */
function ancient(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(8, [1.5, 0], [1.45, 0.25], [1.2, 0.25], [1.16, 0.5], [0.9, 0.5], [0.86, 0.75]), [
		STONE_DARK,
		STONE_LIGHT,
	]);
	s.add(around(4, 1.14, move(taper(0.34, 0.34, 0.2, 0.2, 1.7), 0, 0.25, 0), 45), [STONE_DARK, STONE_LIGHT]);
	s.add(around(4, 1.14, move(lathe(4, [0.2, 0], [0, 0.3]), 0, 1.95, 0), 45), TINT, 'tint');
	s.add(around(4, 1.0, move(box(0.42, 0.7, 0.05), 0, 0.78, 0), 0), TINT, 'tint');
	s.add(move(lathe(6, [0.42, 0], [0.5, 0.14], [0.3, 0.2]), 0, 0.72, 0), GOLD, 'metal');
	s.add(
		move(lathe(6, [0.05, 0], [0.52, 0.85], [0.42, 1.35], [0, 2.3]), 0, 1.05, 0),
		[0xc4c4c4, WHITE],
		'tint',
	);
	s.add(
		around(3, 0.72, move(turn(lathe(5, [0, 0], [0.13, 0.24], [0, 0.62]), 'x', 14), 0, 1.25, 0), 20),
		TINT,
		'tint',
	);
	s.add(move(lathe(6, [0.3, 0], [0.34, 0.06]), 0, 0.9, 0), EMBER, 'glow');
	return s;
}

/** Returns the body of an open chest, 1 m wide; the lid is a separate model. */
function chest(): Sculpture {
	const s = new Sculpture();
	s.add(box(0.96, 0.5, 0.62), [WOOD_DARK, WOOD]);
	s.add(move(box(0.84, 0.02, 0.5), 0, 0.5, 0), BLACK);
	s.add(pair(move(box(0.1, 0.54, 0.68), 0.36, 0, 0)), GOLD_DARK, 'metal');
	s.add(move(box(1.0, 0.07, 0.66), 0, 0, 0), GOLD_DARK, 'metal');
	s.add(move(stretch(lump(0.3, 4, 0.1), 1.2, 0.35, 0.7), 0, 0.5, 0), GOLD, 'metal');
	for (const [x, z] of [
		[-0.22, -0.1],
		[0.18, 0.1],
		[0.05, -0.16],
	] as const)
		s.add(move(turn(cylinder(7, 0.09, 0.03), 'x', 30), x, 0.58, z), GOLD, 'metal');
	return s;
}

/** Returns the lid of the chest, with its origin in the middle of the underside. */
function chestLid(): Sculpture {
	const s = new Sculpture();
	const arch = (w: number, grow: number): Solid =>
		turn(
			plate(
				w,
				[-0.33 - grow, 0],
				[0.33 + grow, 0],
				[0.31 + grow, 0.14 + grow],
				[0.17, 0.27 + grow],
				[-0.17, 0.27 + grow],
				[-0.31 - grow, 0.14 + grow],
			),
			'y',
			90,
		);
	s.add(arch(0.98, 0), [WOOD, WOOD_LIGHT]);
	s.add(pair(move(arch(0.1, 0.025), 0.36, 0, 0)), GOLD_DARK, 'metal');
	s.add(move(box(0.2, 0.2, 0.06), 0, -0.06, -0.34), GOLD, 'metal');
	s.add(move(box(0.05, 0.08, 0.02), 0, -0.01, -0.375), BLACK);
	return s;
}

/** Returns a coin that stands on its edge, 0.5 m high. */
function coin(): Sculpture {
	const s = new Sculpture();
	const upright = (solid: Solid): Solid => move(turn(solid, 'x', 90), 0, 0.25, 0);
	s.add(upright(move(cylinder(14, 0.25, 0.08), 0, -0.04, 0)), GOLD, 'metal');
	s.add(upright(move(cylinder(14, 0.19, 0.1), 0, -0.05, 0)), GOLD_DARK, 'metal');
	s.add(upright(move(cylinder(4, 0.1, 0.12), 0, -0.06, 0)), GOLD, 'metal');
	return s;
}

/** Returns a heap of gold, 1 m wide. */
function hoard(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(9, [0.5, 0], [0.42, 0.1], [0.2, 0.3], [0.06, 0.4]), [GOLD_DARK, GOLD], 'metal');
	for (let i = 0; i < 11; i++) {
		const [angle, out] = [i * 137.5, 0.12 + 0.4 * ((i * 0.618) % 1)];
		const lying = move(turn(cylinder(7, 0.08, 0.03), 'x', 15 + ((i * 41) % 50)), 0, 0.42 - out * 0.75, -out);
		s.add(turn(lying, 'y', angle), GOLD, 'metal');
	}
	s.add(move(lathe(6, [0.05, 0], [0.02, 0.1], [0.1, 0.2], [0.1, 0.26]), 0.2, 0.26, 0.1), GOLD, 'metal');
	s.add(move(lathe(4, [0, 0], [0.06, 0.07], [0, 0.14]), -0.15, 0.32, -0.12), 0x4fb3a5);
	s.add(move(lathe(4, [0, 0], [0.05, 0.06], [0, 0.12]), 0.1, 0.33, -0.2), 0xc8485a);
	return s;
}

function crate(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(0.72, 0.72, 0.72), 0, 0.04, 0), WOOD_LIGHT);
	for (const y of [0, 0.7]) {
		s.add(pair(move(box(0.1, 0.1, 0.8), 0.35, y, 0)), WOOD);
		s.add(pair(turn(move(box(0.1, 0.1, 0.8), 0.35, y, 0), 'y', 90)), WOOD);
	}
	s.add(
		[45, 135, 225, 315].flatMap((angle) => turn(move(box(0.1, 0.8, 0.1), 0, 0, -0.495), 'y', angle)),
		WOOD,
	);
	for (const angle of [0, 90, 180, 270])
		s.add(turn(beam(0.08, [-0.32, 0.08, -0.36], [0.32, 0.72, -0.36]), 'y', angle), WOOD);
	return s;
}

function barrel(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(10, [0.27, 0], [0.34, 0.28], [0.34, 0.52], [0.27, 0.8]), [WOOD_DARK, WOOD_LIGHT]);
	for (const [y, r] of [
		[0.1, 0.31],
		[0.62, 0.33],
	] as const)
		s.add(move(cylinder(10, r, 0.08), 0, y, 0), IRON_DARK, 'metal');
	s.add(move(cylinder(10, 0.22, 0.02), 0, 0.79, 0), WOOD_DARK);
	return s;
}

function sack(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(8, [0.24, 0], [0.31, 0.14], [0.26, 0.38], [0.1, 0.5]), [0x9c8355, 0xd0b884]);
	s.add(move(lathe(8, [0.08, 0], [0.15, 0.12]), 0, 0.5, 0), 0xd0b884);
	s.add(move(cylinder(8, 0.11, 0.05), 0, 0.48, 0), LEATHER);
	return s;
}

/**
 * Returns a market stall, 3.4 m wide and 2.9 m high. The counter is in front; stripes of the awning have the colour of
 * the entity.
 */
function stall(): Sculpture {
	const s = new Sculpture();
	for (const x of [-1.55, 1.55]) {
		s.add(move(box(0.14, 2.25, 0.14), x, 0, -0.9), [WOOD_DARK, WOOD]);
		s.add(move(box(0.14, 2.75, 0.14), x, 0, 1.0), [WOOD_DARK, WOOD]);
	}
	s.add(move(box(3.2, 0.82, 0.66), 0, 0, -1), [WOOD_DARK, WOOD]);
	for (let i = 0; i < 7; i++) s.add(move(box(0.06, 0.8, 0.04), -1.44 + i * 0.48, 0.02, -1.34), WOOD_DARK);
	s.add(move(box(3.4, 0.1, 0.86), 0, 0.82, -1), WOOD_LIGHT);
	s.add(move(box(3.1, 0.1, 0.1), 0, 2.2, -0.9), WOOD);
	s.add(move(box(3.1, 0.1, 0.1), 0, 2.7, 1.0), WOOD);
	s.add(move(box(3.0, 0.9, 0.4), 0, 0, 1.0), WOOD_DARK);
	// Seven stripes with a fringe, every other one of the trader's colour.
	const width = 3.6 / 7;
	for (let i = 0; i < 7; i++) {
		const x = -1.8 + width * (i + 0.5);
		const [hue, surface] = i % 2 === 0 ? ([TINT, 'tint'] as const) : ([CLOTH, 'own'] as const);
		s.add(move(turn(box(width, 0.07, 2.7), 'x', -13), x, 2.52, -0.05), hue, surface);
		const end = width / 2;
		const fringe = plate(0.05, [-end, 0.12], [end, 0.12], [end, -0.06], [0, -0.24], [-end, -0.06]);
		s.add(move(fringe, x, 2.18, -1.36), hue, surface);
	}
	return s;
}

/** Returns a fountain of three basins, 3.2 m wide. */
function fountain(): Sculpture {
	const s = new Sculpture();
	const basin = (r: number, h: number, y: number): void => {
		s.add(move(lathe(12, [r * 0.9, 0], [r, h], [r * 0.86, h]), 0, y, 0), [STONE, STONE_LIGHT]);
		s.add(move(cylinder(12, r * 0.85, 0.02), 0, y + h, 0), WATER);
	};
	s.add(lathe(12, [1.6, 0], [1.55, 0.14]), STONE_DARK);
	basin(1.4, 0.48, 0.12);
	s.add(move(lathe(8, [0.3, 0], [0.18, 0.3], [0.22, 0.75]), 0, 0.6, 0), STONE);
	basin(0.72, 0.24, 1.3);
	s.add(move(lathe(8, [0.14, 0], [0.1, 0.4]), 0, 1.5, 0), STONE);
	basin(0.34, 0.16, 1.88);
	s.add(move(ball(0.12, 7, 3), 0, 2.12, 0), WATER);
	s.add(around(6, 0.74, move(taper(0.09, 0.06, 0.05, 0.05, 0.92), 0, 0.6, 0)), WATER);
	return s;
}

/** Returns a torch that stands on the ground, 1.7 m high. */
function torch(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(6, [0.16, 0], [0.12, 0.08]), STONE_DARK);
	s.add(cylinder(6, 0.05, 1.3), WOOD_DARK);
	s.add(move(lathe(6, [0.06, 0], [0.15, 0.2], [0.12, 0.22]), 0, 1.22, 0), IRON_DARK, 'metal');
	s.add(move(lathe(6, [0.1, 0], [0.14, 0.12], [0, 0.42]), 0, 1.38, 0), EMBER, 'glow');
	return s;
}

/** Returns a door of planks with iron bands, 1.9 m wide and 1.6 m high; both sides look the same. */
function door(): Sculpture {
	const s = new Sculpture();
	for (let i = 0; i < 5; i++) s.add(move(box(0.37, 1.55, 0.14), -0.76 + i * 0.38, 0, 0), TINT, 'tint');
	for (const y of [0.25, 1.1]) s.add(move(box(1.92, 0.14, 0.2), 0, y, 0), IRON_DARK, 'metal');
	for (const z of [-0.12, 0.12])
		s.add(move(lathe(6, [0.09, -0.03], [0.09, 0.03]), 0.6, 0.7, z), GOLD, 'metal');
	return s;
}

function spikes(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(6, [0.16, 0], [0.14, 0.05]), IRON_DARK);
	s.add(lathe(5, [0.11, 0], [0, 0.72]), [IRON_DARK, STEEL], 'metal');
	return s;
}

/** Returns a stone stand on steps, 1.7 m wide, 0.9 m high. */
function shrine(): Sculpture {
	const s = new Sculpture();
	s.add(
		lathe(
			8,
			[0.85, 0],
			[0.82, 0.16],
			[0.62, 0.16],
			[0.6, 0.3],
			[0.34, 0.3],
			[0.26, 0.66],
			[0.42, 0.76],
			[0.42, 0.86],
		),
		[STONE_DARK, STONE_LIGHT],
	);
	s.add(move(lathe(8, [0.36, 0], [0.36, 0.03]), 0, 0.85, 0), TINT, 'tint');
	s.add(around(4, 0.72, move(lathe(5, [0.05, 0], [0.05, 0.16]), 0, 0.16, 0)), BONE);
	s.add(around(4, 0.72, move(lathe(5, [0.035, 0], [0, 0.11]), 0, 0.33, 0)), EMBER, 'glow');
	return s;
}

/** Returns a pillar of a ruin, 2 m high. */
function pillar(): Sculpture {
	const s = new Sculpture();
	s.add(box(0.8, 0.2, 0.8), STONE_DARK);
	s.add(move(lathe(8, [0.34, 0], [0.3, 0.1], [0.27, 1.4], [0.34, 1.5]), 0, 0.2, 0), [
		STONE_DARK,
		STONE_LIGHT,
	]);
	s.add(move(box(0.76, 0.2, 0.76), 0, 1.7, 0), STONE);
	return s;
}

/** Returns a banner on a pole, 2.4 m high. */
function banner(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(6, [0.18, 0], [0.12, 0.1]), STONE_DARK);
	s.add(cylinder(6, 0.045, 2.3), WOOD_DARK);
	s.add(move(box(0.8, 0.06, 0.06), 0, 2.1, -0.06), WOOD);
	s.add(
		move(plate(0.04, [-0.34, 0.6], [-0.34, -0.4], [0, -0.62], [0.34, -0.4], [0.34, 0.6]), 0, 1.5, -0.08),
		TINT,
		'tint',
	);
	s.add(move(turn(cylinder(4, 0.17, 0.03), 'x', -90), 0, 1.62, -0.09), GOLD, 'metal');
	s.add(move(cone(5, 0.08, 0.22), 0, 2.28, 0), GOLD, 'metal');
	return s;
}

/** Returns a wrecking ball of radius 1 around the origin, with a ring on top. */
function wreckingBall(): Sculpture {
	const s = new Sculpture();
	s.add(ball(1, 14, 9), [IRON_DARK, IRON], 'metal');
	s.add(move(lathe(14, [1.02, 0], [1.02, 0.16]), 0, -0.08, 0), TINT, 'tint');
	s.add(move(lathe(8, [0.3, 0], [0.2, 0.25]), 0, 0.93, 0), BLACK);
	return s;
}

function crown(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(10, [0.42, 0], [0.46, 0.3], [0.4, 0.3], [0.38, 0.04]), [GOLD_DARK, GOLD], 'metal');
	s.add(around(5, 0.44, move(lathe(4, [0.12, 0], [0, 0.36]), 0, 0.28, 0)), GOLD, 'metal');
	s.add(around(5, 0.44, move(ball(0.06, 6, 2), 0, 0.66, 0)), TINT, 'tint');
	s.add(around(5, 0.45, move(lathe(4, [0, -0.08], [0.08, 0], [0, 0.08]), 0, 0.15, 0), 36), TINT, 'tint');
	s.add(move(lathe(8, [0.36, 0], [0.3, 0.2], [0.1, 0.32]), 0, 0.04, 0), 0x8c2f3c);
	return s;
}

/** Returns three loaves on a board. */
function bread(): Sculpture {
	const s = new Sculpture();
	s.add(box(0.7, 0.05, 0.44), WOOD);
	for (const [x, z, angle] of [
		[-0.18, 0.02, 20],
		[0.1, -0.06, -15],
		[0.22, 0.1, 60],
	] as const) {
		const loaf = stretch(ball(0.13, 7, 3), 1.5, 0.8, 0.9);
		s.add(move(turn(loaf, 'y', angle), x, 0.14, z), [0x9a5a28, 0xe0a85c]);
	}
	return s;
}

/** Returns three bolts of cloth. */
function bolts(): Sculpture {
	const s = new Sculpture();
	for (const [x, y] of [
		[-0.17, 0],
		[0.17, 0],
		[0, 0.26],
	] as const) {
		s.add(
			move(turn(move(cylinder(8, 0.16, 0.7), 0, -0.35, 0), 'x', 90), x, y + 0.16, 0),
			y > 0 ? CLOTH : TINT,
			y > 0 ? 'own' : 'tint',
		);
	}
	return s;
}

/** Returns an anvil with a sword on it. */
function anvil(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(7, [0.24, 0], [0.22, 0.34]), [WOOD_DARK, WOOD]);
	s.add(move(taper(0.26, 0.2, 0.18, 0.14, 0.14), 0, 0.34, 0), IRON_DARK, 'metal');
	s.add(move(taper(0.3, 0.18, 0.5, 0.22, 0.14), 0, 0.47, 0), [IRON_DARK, IRON], 'metal');
	s.add(move(turn(cone(5, 0.1, 0.26), 'z', 90), -0.24, 0.55, 0), IRON, 'metal');
	s.add(move(turn(taper(0.08, 0.03, 0, 0.03, 0.6), 'z', -80), -0.2, 0.63, 0), STEEL, 'metal');
	return s;
}

/** Returns a sign on a post. */
function signpost(): Sculpture {
	const s = new Sculpture();
	s.add(box(0.12, 1.5, 0.12), [WOOD_DARK, WOOD]);
	s.add(
		move(
			plate(0.07, [-0.45, 0.14], [-0.45, -0.14], [0.35, -0.14], [0.52, 0], [0.35, 0.14]),
			0.1,
			1.25,
			-0.08,
		),
		WOOD_LIGHT,
	);
	s.add(
		move(
			turn(plate(0.07, [-0.4, 0.12], [-0.4, -0.12], [0.3, -0.12], [0.44, 0], [0.3, 0.12]), 'y', 160),
			-0.05,
			0.95,
			-0.02,
		),
		WOOD_LIGHT,
	);
	s.add(move(gable(0.2, 0.1, 0.2), 0, 1.5, 0), WOOD_DARK);
	return s;
}

export const THINGS: Readonly<Record<string, () => Sculpture>> = {
	tower,
	ancient,
	chest,
	chest_lid: chestLid,
	coin,
	hoard,
	crate,
	barrel,
	sack,
	stall,
	fountain,
	torch,
	door,
	spikes,
	shrine,
	pillar,
	banner,
	wrecking_ball: wreckingBall,
	crown,
	bread,
	bolts,
	anvil,
	signpost,
};
