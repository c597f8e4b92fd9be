/**
 * Models of a village: houses with lit windows, objects between them, trees and stones. Fronts face -z.
 * Owns: the look of each model. A storey is about 2.2 m high, for people of 1.3 m.
 */

import {
	BLACK,
	CLOTH,
	EMBER,
	GOLD,
	IRON,
	IRON_DARK,
	LEAF,
	LEAF_DARK,
	NEEDLE,
	NEEDLE_DARK,
	PLASTER,
	PLASTER_COOL,
	PLASTER_WARM,
	ROOF,
	ROOF_DARK,
	SLATE,
	SLATE_DARK,
	STONE,
	STONE_DARK,
	STONE_LIGHT,
	THATCH,
	THATCH_DARK,
	WATER,
	WOOD,
	WOOD_DARK,
	WOOD_LIGHT,
} from '../../../relay/generate/procedural/hues.ts';
import { type Hue, Sculpture } from '../../../relay/generate/procedural/sculpture.ts';
import {
	around,
	beam,
	box,
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
} from '../../../relay/generate/procedural/solid.ts';

type SolidTransform = (solid: Solid) => Solid;

/**
 * Returns a transform that puts a solid on a wall. `degrees`: turn of the wall from -z; `out`: its distance from the
 * middle; `across` and `up`: place on the wall.
 */
const onWall =
	(degrees: number, out: number, across: number, up: number): SolidTransform =>
	(solid) =>
		turn(move(solid, across, up, -out), 'y', degrees);

/** Adds a lit window with frame, bars and sill; with shutters if they have a hue. */
function window(
	s: Sculpture,
	position: SolidTransform,
	w = 0.6,
	h = 0.75,
	shutters: Hue | null = null,
): void {
	s.add(position(move(box(w + 0.16, h + 0.16, 0.08), 0, -0.08, 0)), WOOD_DARK);
	s.add(position(move(box(w, h, 0.06), 0, 0, -0.03)), EMBER, 'glow');
	s.add(position(move(box(0.05, h, 0.04), 0, 0, -0.06)), WOOD_DARK);
	s.add(position(move(box(w, 0.05, 0.04), 0, h * 0.52, -0.06)), WOOD_DARK);
	s.add(position(move(box(w + 0.3, 0.08, 0.2), 0, -0.12, -0.05)), WOOD);
	if (shutters !== null)
		s.add(position(pair(move(box(w * 0.5, h + 0.06, 0.06), w * 0.75 + 0.09, -0.03, -0.05))), shutters);
}

/** Adds a high window with a pointed arch. */
function lancet(s: Sculpture, position: SolidTransform, w = 0.5, h = 1.3): void {
	const arch = (grow: number, depth: number): Solid =>
		plate(
			depth,
			[-w / 2 - grow, -grow],
			[w / 2 + grow, -grow],
			[w / 2 + grow, h - w * 0.6],
			[0, h + grow * 1.4],
			[-w / 2 - grow, h - w * 0.6],
		);
	s.add(position(arch(0.1, 0.1)), STONE_DARK);
	s.add(position(move(arch(0, 0.08), 0, 0, -0.04)), EMBER, 'glow');
	s.add(position(move(box(0.05, h - 0.05, 0.04), 0, 0, -0.08)), STONE_DARK);
	s.add(position(move(box(w, 0.05, 0.04), 0, h * 0.5, -0.08)), STONE_DARK);
}

function door(s: Sculpture, position: SolidTransform, w = 0.8, h = 1.55, hue: Hue = WOOD): void {
	const arch = (grow: number, depth: number): Solid =>
		plate(
			depth,
			[-w / 2 - grow, 0],
			[w / 2 + grow, 0],
			[w / 2 + grow, h - 0.3],
			[w / 4, h + grow],
			[-w / 4, h + grow],
			[-w / 2 - grow, h - 0.3],
		);
	s.add(position(arch(0.12, 0.1)), WOOD_DARK);
	s.add(position(move(arch(0, 0.1), 0, 0, -0.04)), [WOOD_DARK, hue]);
	s.add(position(move(box(0.07, 0.07, 0.06), w * 0.3, h * 0.48, -0.11)), GOLD, 'metal');
	for (const y of [0.3, 1.05])
		s.add(position(move(box(w * 0.9, 0.07, 0.03), 0, y, -0.095)), IRON_DARK, 'metal');
	s.add(position(move(box(w + 0.6, 0.14, 0.5), 0, -0.02, -0.24)), STONE);
}

/**
 * Adds a roof: two slopes of overlapping rows, with the ridge along z. `w`: half of the width; `h`: height of the ridge;
 * `d`: length.
 */
function roof(
	s: Sculpture,
	position: SolidTransform,
	w: number,
	h: number,
	d: number,
	hues: readonly [Hue, Hue],
	rows = 5,
): void {
	const over = 0.42;
	const slope = h / w;
	const [eaveX, eaveY] = [w + over, -over * slope];
	const thick = 0.16;
	for (let row = 0; row < rows; row++) {
		const at = (share: number): readonly [number, number] => [eaveX * share, h + (eaveY - h) * share];
		const [x0, y0] = at(row / rows);
		const [x1, y1] = at((row + 1) / rows + 0.03);
		const lift = 0.07;
		const strip = plate(
			d + 2 * over + (row % 2) * 0.06,
			[x0, y0],
			[x1, y1],
			[x1 + 0.02, y1 + thick + lift],
			[x0, y0 + thick],
		);
		s.add(position(pair(strip)), row % 2 === 0 ? hues[0] : hues[1]);
	}
	s.add(position(move(box(0.3, 0.16, d + 2 * over + 0.1), 0, h + 0.1, 0)), hues[1]);
	// The boards at the gables.
	for (const z of [-1, 1]) {
		const board = move(
			plate(0.08, [0, h], [eaveX, eaveY], [eaveX, eaveY - 0.2], [0, h - 0.22]),
			0,
			0,
			z * (d / 2 + over - 0.08),
		);
		s.add(position(pair(board)), WOOD_DARK);
	}
}

function chimney(s: Sculpture, x: number, y: number, z: number, h: number): void {
	s.add(move(box(0.62, h, 0.62), x, y, z), [STONE_DARK, STONE]);
	s.add(move(box(0.78, 0.16, 0.78), x, y + h, z), STONE_LIGHT);
	s.add(move(box(0.34, 0.06, 0.34), x, y + h + 0.16, z), BLACK);
}

/** Adds the walls of a storey with posts and beams of timber. `y`: height of its floor. */
function timbered(
	s: Sculpture,
	w: number,
	h: number,
	d: number,
	y: number,
	plaster: Hue,
	braces = true,
): void {
	s.add(move(box(w, h, d), 0, y, 0), [plaster, plaster]);
	for (const z of [-d / 2, d / 2]) s.add(pair(move(box(0.2, h, 0.2), w / 2 - 0.03, y, z * 0.99)), WOOD_DARK);
	for (const level of [y, y + h - 0.16]) {
		for (const z of [-d / 2, d / 2]) s.add(move(box(w + 0.1, 0.16, 0.14), 0, level, z), WOOD_DARK);
		s.add(pair(move(box(0.14, 0.16, d), w / 2, level, 0)), WOOD_DARK);
	}
	if (!braces) return;
	for (const z of [-d / 2 - 0.01, d / 2 + 0.01])
		s.add(pair(beam(0.11, [w / 2 - 0.1, y + h * 0.55, z], [w / 2 - h * 0.42, y + h - 0.1, z])), WOOD_DARK);
	for (const z of [-1, 1])
		s.add(
			pair(
				beam(
					0.11,
					[w / 2 + 0.01, y + h * 0.5, z * (d / 2 - 0.1)],
					[w / 2 + 0.01, y + h - 0.1, z * (d / 2 - h * 0.42)],
				),
			),
			WOOD_DARK,
		);
}

/** Returns the wall under a gable whose ridge runs along z. */
const gableWall = (w: number, h: number, d: number): Solid => plate(d, [-w / 2, 0], [w / 2, 0], [0, h]);

/** Returns a thatched house of one storey, 4.4 x 4 m, ridge along its front. */
function cottage(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(4.5, 0.7, 4.1), 0, -0.35, 0), [STONE_DARK, STONE]);
	timbered(s, 4.3, 2, 3.9, 0.3, PLASTER);
	const across: SolidTransform = (solid) => move(turn(solid, 'y', 90), 0, 2.3, 0);
	s.add(across(gableWall(3.9, 1.9, 4.3)), PLASTER);
	roof(s, across, 2, 2.05, 4.3, [THATCH, THATCH_DARK], 4);
	chimney(s, 1.5, 2.4, 0.5, 2.35);
	door(s, onWall(0, 1.98, -0.5, 0.3));
	window(s, onWall(0, 1.97, 1.1, 1.0), 0.7, 0.75, SLATE);
	window(s, onWall(0, 1.97, -1.6, 1.0), 0.5, 0.75);
	for (const side of [90, -90]) {
		window(s, onWall(side, 2.17, 0, 1.0), 0.65, 0.75, SLATE);
		window(s, onWall(side, 2.17, 0, 2.75), 0.45, 0.5);
	}
	window(s, onWall(180, 1.97, 0.9, 1.0));
	s.add(move(lump(0.32, 3), -1.62, 0.2, -2.3), [LEAF_DARK, LEAF]);
	s.add(move(lump(0.26, 5), 1.5, 0.16, -2.28), [LEAF_DARK, LEAF]);
	return s;
}

/** Returns a tiled house of two storeys, the upper one wider, 4 x 4.6 m, gable to the front. */
function house(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(4.1, 2.75, 4.7), 0, -0.45, 0), [STONE_DARK, STONE_LIGHT]);
	timbered(s, 4.4, 2, 5.0, 2.25, PLASTER_WARM);
	for (const x of [-1.6, -0.55, 0.55, 1.6]) s.add(move(box(0.16, 0.18, 5.2), x, 2.1, 0), WOOD_DARK);
	s.add(move(gableWall(4.4, 2.4, 5.0), 0, 4.25, 0), PLASTER_WARM);
	s.add(pair(beam(0.12, [0.1, 6.2, -2.52], [0.9, 4.3, -2.52])), WOOD_DARK);
	roof(s, (solid) => move(solid, 0, 4.25, 0), 2.25, 2.6, 5.0, [ROOF, ROOF_DARK]);
	chimney(s, -1.35, 4.8, 1.0, 2.5);
	door(s, onWall(0, 2.37, 0.75, 0.12), 0.9, 1.6, 0x4d6a55);
	window(s, onWall(0, 2.36, -0.9, 0.95), 0.75, 0.8);
	for (const x of [-1.1, 1.1]) window(s, onWall(0, 2.51, x, 2.9), 0.65, 0.85, 0x4d6a55);
	window(s, onWall(0, 2.51, 0, 4.6), 0.5, 0.65);
	for (const side of [90, -90]) {
		for (const x of [-1.2, 1.2]) window(s, onWall(side, 2.21, x, 2.9), 0.6, 0.8);
		window(s, onWall(side, 2.06, 0.2, 0.95), 0.6, 0.75);
	}
	window(s, onWall(180, 2.51, 0, 2.9));
	return s;
}

/** Returns a long low house with a dormer and a slate roof, 6.6 x 4.2 m, ridge along its front. */
function longhouse(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(6.7, 0.85, 4.3), 0, -0.4, 0), [STONE_DARK, STONE]);
	timbered(s, 6.5, 2.1, 4.1, 0.4, PLASTER_COOL);
	for (const x of [-1.1, 1.1]) s.add(move(box(0.16, 2.1, 0.14), x, 0.4, -2.05), WOOD_DARK);
	const across: SolidTransform = (solid) => move(turn(solid, 'y', 90), 0, 2.5, 0);
	s.add(across(gableWall(4.1, 2, 6.5)), PLASTER_COOL);
	roof(s, across, 2.1, 2.15, 6.5, [SLATE, SLATE_DARK]);
	// The dormer.
	const dormer: SolidTransform = (solid) => move(solid, -1.5, 2.75, -1.25);
	s.add(dormer(box(1.3, 0.9, 1.7)), PLASTER_COOL);
	s.add(dormer(move(gableWall(1.3, 0.6, 1.7), 0, 0.9, 0)), PLASTER_COOL);
	window(s, (solid) => dormer(move(solid, 0, 0.2, -0.87)), 0.55, 0.6);
	const small = plate(1.95, [0, 0.62], [0.9, -0.1], [0.95, 0.05], [0, 0.78]);
	s.add(dormer(move(pair(small), 0, 0.9, -0.05)), SLATE);
	chimney(s, 2.2, 2.7, 0.4, 2.5);
	door(s, onWall(0, 2.08, 0, 0.4), 0.95, 1.6, ROOF);
	for (const x of [-2.2, 2.2]) window(s, onWall(0, 2.07, x, 1.15), 0.8, 0.8, ROOF_DARK);
	for (const side of [90, -90]) {
		window(s, onWall(side, 3.27, 0, 1.15), 0.7, 0.8);
		window(s, onWall(side, 3.27, 0, 2.95), 0.5, 0.5);
	}
	for (const x of [-1.8, 1.6]) window(s, onWall(180, 2.07, x, 1.15));
	for (let i = 0; i < 7; i++)
		s.add(
			move(
				turn(cylinder(6, 0.13, 0.8), 'x', 90),
				1.25 + (i % 4) * 0.28 + (i > 3 ? 0.14 : 0),
				i > 3 ? 0.42 : 0.16,
				-2.9,
			),
			[WOOD_DARK, WOOD_LIGHT],
		);
	return s;
}

/** Returns a nave of 5 x 8 m with a tower before it, 13.6 m high. */
function church(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(5.3, 1, 8.2), 0, -0.5, 1.6), [STONE_DARK, STONE]);
	s.add(move(box(5, 3.2, 8), 0, 0.45, 1.6), [0xcfc4ad, PLASTER]);
	s.add(move(gableWall(5, 2.9, 8), 0, 3.65, 1.6), PLASTER);
	roof(s, (solid) => move(solid, 0, 3.65, 1.6), 2.6, 3.05, 8, [SLATE, SLATE_DARK], 6);
	for (const z of [-1.2, 1.1, 3.4]) {
		for (const side of [90, -90]) lancet(s, onWall(side, 2.52, side === 90 ? -z : z, 1.2), 0.6, 1.7);
	}
	for (const z of [-0.1, 2.25, 4.6])
		s.add(pair(move(taper(0.45, 0.5, 0.2, 0.4, 2.9), 2.62, 0, z)), [STONE_DARK, STONE]);
	lancet(s, onWall(180, 5.62, 0, 1.4), 0.9, 2.2);
	// The tower.
	const tower: SolidTransform = (solid) => move(solid, 0, 0, -2.9);
	s.add(tower(move(box(3, 1.2, 3), 0, -0.6, 0)), [STONE_DARK, STONE]);
	s.add(tower(move(box(2.7, 6.6, 2.7), 0, 0.5, 0)), [0xc4b9a4, PLASTER]);
	s.add(
		tower(
			pair([...move(box(0.4, 6.6, 0.4), 1.28, 0.5, -1.28), ...move(box(0.4, 6.6, 0.4), 1.28, 0.5, 1.28)]),
		),
		[STONE_DARK, STONE_LIGHT],
	);
	s.add(tower(move(box(3.1, 0.25, 3.1), 0, 4.6, 0)), STONE);
	s.add(tower(move(box(3.2, 0.3, 3.2), 0, 7.05, 0)), STONE);
	for (const angle of [0, 90, 180, 270]) {
		const wall = (solid: Solid): Solid => tower(turn(solid, 'y', angle));
		lancet(s, (solid) => wall(move(solid, 0, 5.15, -1.38)), 0.7, 1.5);
	}
	s.add(tower(move(turn(lathe(4, [2.6, 0], [1.5, 0.9]), 'y', 0), 0, 7.35, 0)), [SLATE_DARK, SLATE]);
	s.add(tower(move(lathe(4, [1.5, 0], [0, 4.6]), 0, 8.25, 0)), [SLATE_DARK, SLATE]);
	s.add(tower(move(box(0.09, 1.0, 0.09), 0, 12.7, 0)), GOLD, 'metal');
	s.add(tower(move(box(0.6, 0.09, 0.09), 0, 13.25, 0)), GOLD, 'metal');
	door(s, (solid) => tower(move(solid, 0, 0.15, -1.42)), 1.2, 2.1);
	// A round window over the door.
	const rose = (r: number, h: number): Solid =>
		tower(move(turn(cylinder(10, r, h), 'x', -90), 0, 3.5, -1.33));
	s.add(rose(0.62, 0.1), STONE_DARK);
	s.add(rose(0.48, 0.14), EMBER, 'glow');
	return s;
}

/** Returns the tower of a windmill; the sails are a separate model, with their hub at (0, 6.1, -2.25). */
function mill(): Sculpture {
	const s = new Sculpture();
	s.add(move(lathe(8, [2.2, 0], [2.1, 1.1]), 0, -0.5, 0), [STONE_DARK, STONE]);
	s.add(move(lathe(8, [2.05, 0], [1.45, 4.7]), 0, 0.6, 0), [PLASTER, PLASTER]);
	s.add(move(lathe(8, [1.92, 0], [2.5, 0.1], [2.5, 0.22], [1.8, 0.22]), 0, 2.1, 0), WOOD);
	for (let i = 0; i < 8; i++)
		s.add(around(1, 2.35, move(box(0.09, 0.62, 0.09), 0, 2.3, 0), i * 45 + 22.5), WOOD_DARK);
	s.add(move(lathe(8, [2.42, 0], [2.42, 0.08], [2.3, 0.08], [2.3, 0]), 0, 2.86, 0), WOOD);
	s.add(move(lathe(8, [1.75, 0], [1.65, 0.3], [1.2, 1.2], [0.1, 2.0]), 0, 5.2, 0), [ROOF_DARK, ROOF]);
	s.add(move(turn(cylinder(7, 0.2, 1.3), 'x', -90), 0, 6.1, -1.1), WOOD_DARK);
	s.add(move(box(0.9, 0.9, 0.9), 0, 5.6, -1.25), WOOD);
	door(s, (solid) => move(solid, 0, 0.1, -1.98), 0.95, 1.65);
	window(s, (solid) => move(turn(solid, 'x', -7), 0, 3.6, -1.6), 0.5, 0.7);
	for (const angle of [90, 180, 270]) {
		window(s, (solid) => turn(move(turn(solid, 'x', -7), 0, 3.6, -1.6), 'y', angle), 0.5, 0.7);
		window(s, (solid) => turn(move(turn(solid, 'x', -7), 0, 1.0, -1.9), 'y', angle), 0.5, 0.6);
	}
	return s;
}

/** Returns four sails around the hub at the origin; they turn about z. */
function millSails(): Sculpture {
	const s = new Sculpture();
	s.add(turn(move(cylinder(8, 0.28, 0.4), 0, -0.2, 0), 'x', 90), WOOD_DARK);
	for (const angle of [20, 110, 200, 290]) {
		const at = (solid: Solid): Solid => turn(solid, 'z', angle);
		s.add(at(box(0.14, 4.0, 0.14)), WOOD_DARK);
		s.add(at(move(box(0.82, 3.0, 0.03), 0.44, 0.9, -0.03)), [0xd8ccb2, CLOTH]);
		for (let y = 0.9; y < 4; y += 0.6) s.add(at(move(box(0.92, 0.06, 0.08), 0.42, y, -0.06)), WOOD);
		s.add(at(move(box(0.06, 3.06, 0.08), 0.86, 0.9, -0.06)), WOOD);
	}
	return s;
}

function well(): Sculpture {
	const s = new Sculpture();
	s.add(move(lathe(10, [0.95, 0], [0.9, 0.95], [0.66, 0.95], [0.66, 0.3]), 0, -0.2, 0), [
		STONE_DARK,
		STONE_LIGHT,
	]);
	s.add(move(cylinder(10, 0.66, 0.02), 0, 0.42, 0), WATER);
	s.add(pair(move(box(0.14, 1.9, 0.14), 0.78, 0.3, 0)), WOOD_DARK);
	s.add(move(turn(cylinder(6, 0.1, 1.56), 'z', 90), 0.78, 1.55, 0), WOOD);
	s.add(move(cylinder(5, 0.02, 0.55), 0, 1.0, 0), CLOTH);
	s.add(move(lathe(7, [0.13, 0], [0.18, 0.26]), 0, 0.78, 0), WOOD);
	roof(s, (solid) => move(turn(solid, 'y', 90), 0, 2.15, 0), 0.6, 0.6, 1.7, [ROOF, ROOF_DARK], 3);
	return s;
}

/** Returns two metres of fence along x. */
function fence(): Sculpture {
	const s = new Sculpture();
	for (const [x, h] of [
		[-0.92, 0.95],
		[-0.31, 0.88],
		[0.3, 0.93],
		[0.91, 0.9],
	] as const) {
		s.add(move(box(0.11, h + 0.2, 0.09), x, -0.2, 0), [WOOD_DARK, WOOD]);
		s.add(move(lathe(4, [0.08, 0], [0, 0.1]), x, h, 0), WOOD);
	}
	s.add(move(turn(box(2.04, 0.09, 0.06), 'z', 1.5), 0, 0.32, -0.06), WOOD);
	s.add(move(turn(box(2.04, 0.09, 0.06), 'z', -1), 0, 0.66, -0.06), WOOD);
	return s;
}

/** Returns a lamp on an arm, 2.9 m high; the lantern is at (0, 2.25, -0.55). */
function lamp(): Sculpture {
	const s = new Sculpture();
	s.add(move(lathe(6, [0.24, 0], [0.2, 0.4], [0.1, 0.5]), 0, -0.15, 0), [STONE_DARK, STONE]);
	s.add(move(box(0.13, 2.6, 0.13), 0, 0.25, 0), [WOOD_DARK, WOOD]);
	s.add(beam(0.09, [0, 2.7, 0.1], [0, 2.78, -0.66]), WOOD_DARK);
	s.add(beam(0.07, [0, 2.25, 0], [0, 2.7, -0.36]), WOOD_DARK);
	const lantern: SolidTransform = (solid) => move(solid, 0, 2.08, -0.55);
	s.add(lantern(move(cylinder(4, 0.02, 0.24), 0, 0.48, 0)), IRON_DARK);
	s.add(lantern(move(lathe(4, [0.27, 0], [0.05, 0.18]), 0, 0.38, 0)), IRON_DARK);
	s.add(lantern(lathe(4, [0.13, 0], [0.18, 0.06], [0.21, 0.38])), EMBER, 'glow');
	s.add(lantern(move(lathe(4, [0.12, 0], [0.19, 0.07]), 0, -0.05, 0)), IRON_DARK);
	s.add(lantern(around(4, 0.17, box(0.04, 0.4, 0.04), 45)), IRON_DARK);
	return s;
}

/** Returns a cart with hay, its shafts to -z. */
function cart(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(1.2, 0.1, 1.9), 0, 0.55, 0.2), WOOD);
	s.add(pair(move(turn(box(0.08, 0.42, 1.9), 'z', -10), 0.6, 0.62, 0.2)), WOOD_LIGHT);
	for (const z of [-0.72, 1.12]) s.add(move(box(1.2, 0.4, 0.08), 0, 0.62, z), WOOD_LIGHT);
	s.add(pair(beam(0.09, [0.42, 0.6, -0.7], [0.36, 0.12, -2.1])), WOOD_DARK);
	const wheel: Solid = turn(
		[
			...lathe(12, [0.52, 0], [0.52, 0.1], [0.42, 0.1], [0.42, 0]),
			...lathe(8, [0.1, -0.03], [0.1, 0.14]),
			...[0, 45, 90, 135].flatMap((angle) => turn(move(box(0.9, 0.06, 0.07), 0, 0.02, 0), 'y', angle)),
		],
		'z',
		-90,
	);
	s.add(pair(move(wheel, 0.7, 0.52, 0.35)), WOOD_DARK);
	s.add(move(turn(cylinder(6, 0.06, 1.6), 'z', 90), 0.8, 0.52, 0.35), IRON, 'metal');
	s.add(move(stretch(lump(0.62, 2, 0.2), 0.95, 0.75, 1.4), 0, 0.85, 0.2), [THATCH_DARK, THATCH]);
	return s;
}

function haystack(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(9, [0.95, -0.1], [1.1, 0.25], [1.0, 0.8], [0.55, 1.4], [0.12, 1.75]), [THATCH_DARK, THATCH]);
	s.add(move(cylinder(5, 0.06, 0.5), 0, 1.6, 0), WOOD_DARK);
	return s;
}

function bench(): Sculpture {
	const s = new Sculpture();
	s.add(move(box(1.5, 0.09, 0.42), 0, 0.4, 0), WOOD_LIGHT);
	s.add(pair(move(box(0.12, 0.42, 0.36), 0.58, 0, 0)), WOOD_DARK);
	s.add(move(turn(box(1.5, 0.22, 0.06), 'x', 10), 0, 0.65, 0.2), WOOD_LIGHT);
	s.add(pair(move(turn(box(0.1, 0.5, 0.08), 'x', 10), 0.58, 0.4, 0.22)), WOOD_DARK);
	return s;
}

/** Returns a pine, 6 m high. */
function pine(): Sculpture {
	const s = new Sculpture();
	s.add(move(lathe(6, [0.3, 0], [0.16, 2]), 0, -0.3, 0), [WOOD_DARK, 0x6b4a30]);
	const tiers = [
		[1.75, 2.1, 0.95],
		[1.45, 1.95, 2.05],
		[1.12, 1.8, 3.15],
		[0.74, 1.75, 4.3],
	] as const;
	tiers.forEach(([radius, height, y], i) => {
		// Every other corner hangs lower and reaches farther out.
		const ragged = stretch(lathe(10, [radius * 0.3, -0.05], [radius, 0], [0, height]), 1, 1, 1).map((face) =>
			face.map(([x, up, z]) => {
				const corner = Math.round(((Math.atan2(x, z) / (2 * Math.PI) + 1) * 10 - 0.5) % 10) % 2;
				const rim = up === 0 ? 1 : 0;
				const out = 1 - rim * corner * 0.2;
				return [x * out, up - rim * (1 - corner) * 0.22, z * out] as const;
			}),
		);
		s.add(move(turn(turn(ragged, 'y', i * 23), 'z', i % 2 === 0 ? 2 : -2), 0, y, 0), [NEEDLE_DARK, NEEDLE]);
	});
	return s;
}

function broadleaf(seed: number, low: Hue, high: Hue): Sculpture {
	const s = new Sculpture();
	s.add(move(lathe(6, [0.4, 0], [0.24, 0.6], [0.18, 2.6]), 0, -0.3, 0), [WOOD_DARK, 0x7a5638]);
	s.add(beam(0.16, [0, 1.7, 0], [0.9, 2.7, 0.2]), WOOD_DARK);
	s.add(beam(0.14, [0, 1.9, 0], [-0.8, 2.8, -0.3]), WOOD_DARK);
	const crown = [
		[1.5, 0, 3.5, 0],
		[1.05, 1.05, 3.0, 0.35],
		[0.95, -0.95, 3.05, -0.35],
		[0.9, 0.1, 2.9, -1.0],
		[0.85, -0.15, 3.0, 1.0],
		[0.95, 0.15, 4.55, 0.1],
	] as const;
	crown.forEach(([radius, x, y, z], i) => {
		s.add(move(stretch(lump(radius, seed + i, 0.16), 1, 0.86, 1), x, y, z), [low, high]);
	});
	return s;
}

function bush(): Sculpture {
	const s = new Sculpture();
	s.add(move(stretch(lump(0.62, 7), 1, 0.85, 1), 0, 0.42, 0), [LEAF_DARK, LEAF]);
	s.add(move(stretch(lump(0.45, 9), 1, 0.85, 1), 0.5, 0.3, 0.15), [LEAF_DARK, LEAF]);
	s.add(move(stretch(lump(0.42, 11), 1, 0.85, 1), -0.42, 0.28, -0.2), [LEAF_DARK, LEAF]);
	return s;
}

function rock(): Sculpture {
	const s = new Sculpture();
	s.add(move(stretch(lump(0.75, 13, 0.35), 1.15, 0.75, 0.95), 0, 0.3, 0), [STONE_DARK, STONE]);
	s.add(move(stretch(lump(0.4, 17, 0.35), 1, 0.8, 1.1), 0.75, 0.15, -0.3), [STONE_DARK, STONE_LIGHT]);
	return s;
}

export const VILLAGE: Readonly<Record<string, () => Sculpture>> = {
	cottage,
	house,
	longhouse,
	church,
	mill,
	mill_sails: millSails,
	well,
	fence,
	lamp,
	cart,
	haystack,
	bench,
	pine,
	oak: () => broadleaf(1, LEAF_DARK, LEAF),
	maple: () => broadleaf(21, 0x9c4a28, 0xe09a3c),
	bush,
	rock,
};
