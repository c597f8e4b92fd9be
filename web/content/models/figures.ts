/**
 * People and creatures, about 1.3 m high, with their feet at the origin. They face -z, like entities.
 * Owns: the look of each model. Parts of the surface `tint` take the colour of the entity.
 */

import {
	BLACK,
	BONE,
	CLOTH,
	EMBER,
	GOBLIN,
	GOBLIN_DARK,
	GOLD,
	GOLD_DARK,
	HAIR,
	IRON,
	IRON_DARK,
	LEAF,
	LEAF_DARK,
	LEATHER,
	SKIN,
	STEEL,
	STONE_DARK,
	STONE_LIGHT,
	WHITE,
	WHITE_SHADE,
	WOOD,
	WOOD_DARK,
} from '../../../relay/generate/procedural/hues.ts';
import { type Hue, Sculpture, type SkinSurface } from '../../../relay/generate/procedural/sculpture.ts';
import {
	ball,
	beam,
	box,
	cone,
	cylinder,
	lathe,
	lump,
	mirror,
	move,
	pair,
	plate,
	type Solid,
	stretch,
	taper,
	turn,
} from '../../../relay/generate/procedural/solid.ts';
import { FIGHTER_CLIPS } from './movements.ts';

const TINT = [WHITE_SHADE, WHITE] as const;

interface Garb {
	readonly legs: Hue;
	readonly boots: Hue;
	readonly torso: Hue | readonly [Hue, Hue];
	readonly torsoSurface?: SkinSurface;
	readonly sleeves: Hue | readonly [Hue, Hue];
	readonly sleevesSurface?: SkinSurface;
	readonly skin?: Hue;
	/** Forward angle of the arms on the sides of +x and -x (degrees). */
	readonly raised?: readonly [number, number];
}

/** Adds an arm with its hand. `side`: 1 for the side of +x, -1 for the side of -x. */
function arm(s: Sculpture, side: 1 | -1, raised: number, garb: Garb): void {
	const hang = (solid: Solid): Solid => {
		const swung = move(turn(turn(solid, 'x', raised), 'z', 10), 0.27, 0.74, 0);
		return side === 1 ? swung : mirror(swung);
	};
	s.add(hang(move(taper(0.13, 0.14, 0.15, 0.17, 0.3), 0, -0.3, 0)), garb.sleeves, garb.sleevesSurface);
	s.add(hang(move(ball(0.085, 6, 2), 0, -0.34, 0)), garb.skin ?? SKIN);
}

/** Returns legs, torso, arms and a head with eyes. Hands are at about (±0.33, 0.42, 0); raised arms bring them forwards. */
function figure(garb: Garb): Sculpture {
	const s = new Sculpture();
	const skin = garb.skin ?? SKIN;
	s.add(pair(move(box(0.15, 0.3, 0.17), 0.115, 0.08, 0)), garb.legs);
	s.add(pair(move(taper(0.18, 0.28, 0.16, 0.2, 0.13), 0.115, 0, -0.03)), garb.boots);
	s.add(move(taper(0.46, 0.32, 0.44, 0.27, 0.44), 0, 0.33, 0), garb.torso, garb.torsoSurface);
	s.add(move(box(0.475, 0.07, 0.335), 0, 0.42, 0), LEATHER);
	const [left, right] = garb.raised ?? [12, 12];
	arm(s, 1, left, garb);
	arm(s, -1, right, garb);
	s.add(move(stretch(ball(0.235, 8, 4), 1, 1.02, 0.95), 0, 0.97, 0), skin);
	s.add(pair(move(box(0.05, 0.08, 0.03), 0.085, 0.94, -0.222)), BLACK);
	return s;
}

/** Adds a sword with its grip at the origin, point upwards, transformed by `place`. */
function sword(s: Sculpture, place: (solid: Solid) => Solid, length = 0.62): void {
	s.add(place(move(box(0.05, 0.16, 0.05), 0, -0.08, 0)), LEATHER);
	s.add(place(move(box(0.2, 0.05, 0.07), 0, 0.08, 0)), GOLD_DARK, 'metal');
	s.add(place(move(taper(0.09, 0.03, 0.06, 0.02, length), 0, 0.13, 0)), STEEL, 'metal');
	s.add(place(move(taper(0.06, 0.02, 0, 0.01, 0.09), 0, 0.13 + length, 0)), STEEL, 'metal');
}

function knight(): Sculpture {
	const s = figure({
		legs: IRON_DARK,
		boots: IRON,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: [IRON, STEEL],
		sleevesSurface: 'metal',
		raised: [38, 50],
	});
	s.add(pair(move(stretch(ball(0.14, 7, 3), 1, 0.75, 1.1), 0.27, 0.76, 0)), STEEL, 'metal');
	// Helmet with a slit, a ridge and a plume.
	s.add(
		move(lathe(8, [0.26, 0], [0.275, 0.2], [0.22, 0.34], [0.08, 0.42]), 0, 0.84, 0),
		[IRON, STEEL],
		'metal',
	);
	s.add(move(box(0.3, 0.06, 0.05), 0, 0.96, -0.25), BLACK);
	s.add(move(box(0.05, 0.26, 0.05), 0, 0.84, -0.265), GOLD, 'metal');
	s.add(move(turn(taper(0.09, 0.18, 0.05, 0.42, 0.22), 'x', -12), 0, 1.22, 0.06), TINT, 'tint');
	// A shield on one arm, a sword in the other hand.
	const shield = (grow: number, depth: number): Solid =>
		plate(
			depth,
			[-0.2 - grow, 0.26 + grow],
			[-0.2 - grow, -0.05],
			[0, -0.34 - grow],
			[0.2 + grow, -0.05],
			[0.2 + grow, 0.26 + grow],
		);
	const held = (solid: Solid): Solid => move(turn(solid, 'y', -12), 0.36, 0.56, -0.3);
	s.add(held(shield(0.03, 0.04)), STEEL, 'metal');
	s.add(held(move(shield(0, 0.04), 0, 0, -0.02)), TINT, 'tint');
	s.add(held(move(box(0.06, 0.42, 0.02), 0, -0.17, -0.05)), GOLD, 'metal');
	s.add(held(move(box(0.28, 0.06, 0.02), 0, 0.05, -0.05)), GOLD, 'metal');
	sword(s, (solid) => move(turn(solid, 'x', -28), -0.33, 0.5, -0.28), 0.7);
	return s;
}

function archer(): Sculpture {
	const s = figure({
		legs: LEATHER,
		boots: WOOD_DARK,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: LEATHER,
		raised: [70, 35],
	});
	// A hood that ends in a point behind, and a short cape.
	s.add(
		move(turn(lathe(8, [0.28, -0.02], [0.285, 0.14], [0.2, 0.32], [0.04, 0.46]), 'x', 16), 0, 0.88, 0.05),
		TINT,
		'tint',
	);
	s.add(move(stretch(ball(0.2, 8, 4), 1, 1, 0.7), 0, 0.97, -0.12), SKIN);
	s.add(pair(move(box(0.05, 0.08, 0.03), 0.08, 0.95, -0.262)), BLACK);
	s.add(move(turn(taper(0.5, 0.05, 0.34, 0.06, 0.46), 'x', -8), 0, 0.36, 0.19), TINT, 'tint');
	// Quiver with arrows.
	const back = (solid: Solid): Solid => move(turn(solid, 'z', 24), 0.04, 0.46, 0.26);
	s.add(back(cylinder(6, 0.09, 0.42)), WOOD);
	s.add(back(move(cone(5, 0.05, 0.12), 0.03, 0.46, 0)), CLOTH);
	s.add(back(move(cone(5, 0.05, 0.12), -0.035, 0.44, 0.02)), CLOTH);
	// The bow, with its string, in the left hand before the body.
	const bow: [number, number, number][] = [
		[0, -0.5, 0.18],
		[0, -0.26, 0.02],
		[0, 0, -0.05],
		[0, 0.26, 0.02],
		[0, 0.5, 0.18],
	];
	for (let i = 0; i + 1 < bow.length; i++)
		s.add(move(beam(0.05, bow[i]!, bow[i + 1]!), 0.38, 0.66, -0.36), [WOOD_DARK, WOOD]);
	s.add(move(beam(0.014, bow[0]!, bow[4]!), 0.38, 0.66, -0.36), CLOTH);
	return s;
}

function mage(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(9, [0.4, 0], [0.36, 0.05], [0.24, 0.5], [0.22, 0.78], [0.1, 0.82]), TINT, 'tint');
	s.add(move(box(0.11, 0.5, 0.03), 0, 0.08, -0.345), GOLD);
	s.add(move(lathe(9, [0.285, 0], [0.275, 0.07]), 0, 0.4, 0), LEATHER);
	const garb: Garb = { legs: 0, boots: 0, torso: 0, sleeves: TINT, sleevesSurface: 'tint', raised: [55, 40] };
	arm(s, 1, 50, garb);
	arm(s, -1, 64, garb);
	s.add(move(ball(0.22, 8, 4), 0, 0.97, 0), SKIN);
	s.add(pair(move(box(0.045, 0.075, 0.03), 0.08, 0.97, -0.21)), BLACK);
	s.add(move(turn(taper(0.26, 0.1, 0.06, 0.04, 0.34), 'x', 180), 0, 0.94, -0.19), CLOTH);
	// The hat.
	s.add(move(lathe(10, [0.42, 0], [0.4, 0.035], [0.25, 0.06], [0.15, 0.3]), 0, 1.08, 0), TINT, 'tint');
	s.add(move(turn(lathe(10, [0.15, 0], [0.02, 0.32]), 'x', 14), 0, 1.37, 0), TINT, 'tint');
	s.add(move(lathe(10, [0.255, 0], [0.22, 0.09]), 0, 1.13, 0), GOLD);
	// The staff.
	s.add(move(cylinder(6, 0.032, 1.25), -0.37, 0.02, -0.3), [WOOD_DARK, WOOD]);
	s.add(move(lathe(6, [0.02, 0], [0.1, 0.1], [0.02, 0.26]), -0.37, 1.25, -0.3), EMBER, 'glow');
	return s;
}

function soldier(): Sculpture {
	const s = figure({
		legs: LEATHER,
		boots: WOOD_DARK,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: CLOTH,
		raised: [20, 52],
	});
	s.add(
		move(lathe(8, [0.34, 0], [0.26, 0.04], [0.2, 0.2], [0.05, 0.28]), 0, 1.02, 0),
		[IRON, STEEL],
		'metal',
	);
	s.add(move(cylinder(5, 0.028, 1.5), -0.34, 0.02, -0.28), WOOD);
	s.add(move(lathe(4, [0.03, 0], [0.08, 0.1], [0, 0.32]), -0.34, 1.5, -0.28), STEEL, 'metal');
	// A round shield.
	const held = (solid: Solid): Solid => move(turn(solid, 'x', -90), 0.36, 0.5, -0.16);
	s.add(held(lathe(9, [0.24, 0], [0.24, 0.04])), WOOD_DARK);
	s.add(held(lathe(9, [0.2, 0.03], [0.19, 0.07])), TINT, 'tint');
	s.add(held(lathe(6, [0.07, 0.06], [0.03, 0.12])), STEEL, 'metal');
	return s;
}

function guard(): Sculpture {
	const s = figure({
		legs: IRON_DARK,
		boots: BLACK,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: [IRON_DARK, IRON],
		sleevesSurface: 'metal',
		raised: [10, 48],
	});
	s.add(move(lathe(8, [0.27, 0], [0.25, 0.16], [0.14, 0.29]), 0, 1.0, 0), [IRON, STEEL], 'metal');
	s.add(move(box(0.06, 0.12, 0.34), 0, 1.26, 0.02), TINT, 'tint');
	s.add(move(cylinder(5, 0.03, 1.55), -0.34, 0.02, -0.28), WOOD_DARK);
	s.add(
		move(
			turn(
				plate(0.03, [0.02, 0.26], [-0.05, 0], [0.02, -0.1], [0.24, -0.16], [0.3, 0.05], [0.24, 0.22]),
				'y',
				90,
			),
			-0.34,
			1.42,
			-0.28,
		),
		STEEL,
		'metal',
	);
	s.add(move(cone(4, 0.05, 0.26), -0.34, 1.56, -0.28), STEEL, 'metal');
	return s;
}

function goblin(): Sculpture {
	const s = figure({
		legs: LEATHER,
		boots: WOOD_DARK,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: GOBLIN_DARK,
		skin: GOBLIN,
		raised: [25, 60],
	});
	s.add(pair(move(turn(stretch(cone(4, 0.1, 0.4), 1, 1, 0.45), 'z', -72), 0.19, 1.0, 0)), [
		GOBLIN,
		GOBLIN_DARK,
	]);
	s.add(move(turn(cone(5, 0.055, 0.16), 'x', -100), 0, 0.93, -0.2), GOBLIN_DARK);
	s.add(pair(move(box(0.07, 0.05, 0.02), 0.09, 0.99, -0.226)), GOLD);
	s.add(move(box(0.2, 0.035, 0.02), 0, 0.85, -0.205), BLACK);
	s.add(move(lathe(7, [0.24, 0], [0.22, 0.08], [0.1, 0.15]), 0, 1.09, 0), LEATHER);
	// A club with nails.
	const held = (solid: Solid): Solid => move(turn(solid, 'x', -30), -0.34, 0.5, -0.28);
	s.add(held(lathe(6, [0.035, -0.1], [0.05, 0.25], [0.11, 0.5], [0.08, 0.62])), [WOOD_DARK, WOOD]);
	s.add(held(pair(move(turn(cone(4, 0.03, 0.1), 'z', -90), 0.08, 0.45, 0))), STEEL, 'metal');
	return s;
}

function skeleton(): Sculpture {
	const s = new Sculpture();
	s.add(pair(move(box(0.07, 0.36, 0.07), 0.1, 0, 0)), BONE);
	s.add(pair(move(box(0.11, 0.05, 0.2), 0.1, 0, -0.04)), BONE);
	s.add(move(taper(0.2, 0.14, 0.3, 0.16, 0.1), 0, 0.35, 0), BONE);
	s.add(move(box(0.06, 0.4, 0.06), 0, 0.42, 0.03), BONE);
	for (const [y, w] of [
		[0.5, 0.26],
		[0.59, 0.32],
		[0.68, 0.36],
	] as const)
		s.add(move(box(w, 0.05, 0.22), 0, y, 0), BONE);
	const garb: Garb = { legs: 0, boots: 0, torso: 0, sleeves: BONE, skin: BONE };
	const thin = (solid: Solid): Solid => stretch(solid, 0.5, 1, 0.5);
	for (const side of [1, -1] as const) {
		const hang = (solid: Solid): Solid => {
			const at = move(turn(turn(solid, 'x', side === 1 ? 20 : 58), 'z', 12), 0.24, 0.73, 0);
			return side === 1 ? at : mirror(at);
		};
		s.add(hang(move(thin(box(0.13, 0.34, 0.13)), 0, -0.34, 0)), garb.sleeves);
		s.add(hang(move(ball(0.06, 6, 2), 0, -0.36, 0)), BONE);
	}
	s.add(move(stretch(ball(0.22, 8, 4), 1, 0.95, 1), 0, 0.99, 0), BONE);
	s.add(move(taper(0.18, 0.16, 0.22, 0.2, 0.12), 0, 0.76, -0.06), BONE);
	s.add(pair(move(box(0.09, 0.1, 0.05), 0.085, 0.94, -0.2)), BLACK);
	s.add(move(box(0.04, 0.05, 0.04), 0, 0.87, -0.2), BLACK);
	s.add(move(box(0.14, 0.03, 0.03), 0, 0.79, -0.15), BLACK);
	// A rag in the colour of the team, and a sword.
	s.add(move(taper(0.3, 0.17, 0.34, 0.19, 0.16), 0, 0.24, 0), TINT, 'tint');
	s.add(move(turn(box(0.42, 0.07, 0.24), 'z', 24), 0, 0.56, 0), TINT, 'tint');
	sword(s, (solid) => move(turn(solid, 'x', -24), -0.3, 0.5, -0.3), 0.5);
	return s;
}

function slime(): Sculpture {
	const s = new Sculpture();
	s.add(lathe(10, [0.42, 0], [0.5, 0.1], [0.47, 0.3], [0.34, 0.5], [0.14, 0.61]), [0x9a9a9a, WHITE], 'tint');
	s.add(move(lump(0.09, 1, 0.1), 0.4, 0.07, -0.3), WHITE_SHADE, 'tint');
	s.add(move(lump(0.06, 2, 0.1), -0.45, 0.05, -0.24), WHITE_SHADE, 'tint');
	s.add(pair(move(stretch(ball(0.1, 8, 3), 1, 1.15, 0.6), 0.16, 0.34, -0.42)), CLOTH);
	s.add(pair(move(ball(0.05, 6, 2), 0.15, 0.34, -0.475)), BLACK);
	s.add(move(box(0.2, 0.04, 0.05), 0, 0.19, -0.485), BLACK);
	s.add(move(turn(stretch(ball(0.07, 6, 2), 1, 0.5, 1), 'x', -30), 0.16, 0.53, -0.14), WHITE, 'tint');
	return s;
}

/** Returns a giant of stone with moss on its back, 1.5 m high; its chest and eyes glow. */
function giant(): Sculpture {
	const s = new Sculpture();
	const stone = [STONE_DARK, STONE_LIGHT] as const;
	s.add(pair(move(taper(0.3, 0.36, 0.24, 0.28, 0.42), 0.2, 0, 0)), stone);
	s.add(move(stretch(lump(0.46, 3, 0.22), 1.15, 0.95, 0.85), 0, 0.82, 0.02), TINT, 'tint');
	s.add(pair(move(lump(0.24, 5, 0.2), 0.5, 1.06, 0)), stone);
	// Arms that reach down to the ground, with fists.
	s.add(pair(move(turn(taper(0.17, 0.19, 0.23, 0.25, 0.55), 'z', 12), 0.66, 0.42, -0.06)), stone);
	s.add(pair(move(lump(0.2, 8, 0.2), 0.7, 0.3, -0.12)), STONE_DARK);
	// A head low between the shoulders.
	s.add(move(taper(0.3, 0.3, 0.36, 0.32, 0.3), 0, 1.14, -0.24), TINT, 'tint');
	s.add(move(box(0.4, 0.08, 0.12), 0, 1.33, -0.38), STONE_DARK);
	s.add(pair(move(box(0.07, 0.05, 0.03), 0.08, 1.26, -0.41)), EMBER, 'glow');
	s.add(move(turn(lathe(5, [0.13, 0], [0.05, 0.06]), 'x', -90), 0, 0.86, -0.4), EMBER, 'glow');
	for (const [x, y, z, size] of [
		[0, 1.2, 0.14, 0.26],
		[-0.42, 1.22, 0.06, 0.18],
		[0.5, 1.2, 0.02, 0.15],
	] as const)
		s.add(move(stretch(lump(size, x * 9 + 2), 1.2, 0.5, 1), x, y, z), [LEAF_DARK, LEAF]);
	return s;
}

function dragon(): Sculpture {
	const s = new Sculpture();
	const belly = [0xd9b26a, 0xf0d491] as const;
	s.add(move(stretch(ball(0.6, 9, 5), 1, 0.95, 1.15), 0, 0.72, 0.1), TINT, 'tint');
	s.add(move(stretch(ball(0.48, 9, 5), 0.9, 1, 0.8), 0, 0.64, -0.24), belly);
	// Neck and head.
	s.add(move(turn(lathe(8, [0.34, 0], [0.2, 0.5], [0.18, 0.6]), 'x', -28), 0, 1.02, -0.22), TINT, 'tint');
	s.add(move(taper(0.4, 0.46, 0.34, 0.36, 0.3), 0, 1.44, -0.56), TINT, 'tint');
	s.add(move(taper(0.28, 0.34, 0.22, 0.3, 0.18), 0, 1.46, -0.9), TINT, 'tint');
	s.add(move(box(0.24, 0.06, 0.34), 0, 1.4, -0.86), belly);
	s.add(pair(move(box(0.05, 0.04, 0.02), 0.06, 1.58, -1.075)), BLACK);
	s.add(pair(move(stretch(ball(0.07, 6, 2), 0.6, 1, 1), 0.19, 1.62, -0.62)), EMBER, 'glow');
	s.add(pair(move(turn(cone(5, 0.07, 0.34), 'x', 42), 0.12, 1.7, -0.42)), BONE);
	// Legs, claws.
	s.add(pair(move(taper(0.26, 0.34, 0.2, 0.24, 0.34), 0.36, 0, -0.12)), TINT, 'tint');
	s.add(pair(move(taper(0.28, 0.38, 0.24, 0.3, 0.4), 0.42, 0, 0.42)), TINT, 'tint');
	for (const x of [0.27, 0.36, 0.45])
		s.add(pair(move(turn(cone(4, 0.04, 0.14), 'x', -90), x, 0.04, -0.26)), BONE);
	// Tail and spikes along the back.
	s.add(move(turn(lathe(7, [0.34, 0], [0.2, 0.55], [0.11, 0.9]), 'x', 102), 0, 0.6, 0.5), TINT, 'tint');
	s.add(move(turn(lathe(6, [0.11, 0], [0, 0.55]), 'x', 70), 0, 0.42, 1.37), TINT, 'tint');
	for (const [y, z, h] of [
		[1.6, -0.33, 0.2],
		[1.36, -0.16, 0.24],
		[1.24, 0.1, 0.28],
		[1.14, 0.36, 0.26],
		[0.9, 0.64, 0.22],
		[0.72, 0.94, 0.18],
	] as const)
		s.add(move(turn(stretch(cone(4, 0.1, h), 0.5, 1, 1.2), 'x', 20), 0, y, z), [GOLD_DARK, GOLD]);
	// Wings: fingers, and skin between them.
	const root = [0.4, 1.1, 0.1] as const;
	const tips = [
		[1.5, 1.95, -0.1],
		[1.72, 1.35, 0.35],
		[1.4, 0.95, 0.75],
		[0.75, 0.8, 0.8],
	] as const;
	for (const tip of tips.slice(0, 3)) s.add(pair(beam(0.06, root, tip)), TINT, 'tint');
	for (let i = 0; i + 1 < tips.length; i++) {
		const skin = [root, tips[i]!, tips[i + 1]!];
		s.add(pair([skin, [...skin].reverse()]), [0xa8743f, 0xe0a75c]);
	}
	return s;
}

function villager(): Sculpture {
	const s = figure({
		legs: WOOD_DARK,
		boots: LEATHER,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: CLOTH,
		raised: [8, 16],
	});
	s.add(move(lathe(8, [0.25, 0], [0.24, 0.13], [0.12, 0.24]), 0, 1.0, 0.03), HAIR);
	s.add(move(taper(0.44, 0.2, 0.36, 0.2, 0.22), 0, 0.9, 0.12), HAIR);
	return s;
}

function merchant(): Sculpture {
	const s = figure({
		legs: LEATHER,
		boots: WOOD_DARK,
		torso: CLOTH,
		sleeves: TINT,
		sleevesSurface: 'tint',
		raised: [40, 40],
	});
	s.add(move(taper(0.4, 0.06, 0.34, 0.06, 0.5), 0, 0.2, -0.16), TINT, 'tint');
	s.add(move(stretch(ball(0.3, 8, 4), 1, 0.85, 0.95), 0, 0.53, -0.01), CLOTH);
	// A soft flat hat with a feather, and a moustache.
	s.add(move(lathe(9, [0.25, 0], [0.33, 0.08], [0.3, 0.17], [0.08, 0.21]), 0, 1.08, 0), TINT, 'tint');
	s.add(move(turn(stretch(cone(4, 0.08, 0.34), 0.4, 1, 1), 'x', 50), 0.22, 1.2, 0), GOLD);
	s.add(pair(move(turn(box(0.13, 0.05, 0.04), 'z', -14), 0.07, 0.87, -0.225)), HAIR);
	return s;
}

function mason(): Sculpture {
	const s = figure({
		legs: IRON_DARK,
		boots: LEATHER,
		torso: TINT,
		torsoSurface: 'tint',
		sleeves: CLOTH,
		raised: [14, 58],
	});
	s.add(move(lathe(9, [0.34, 0], [0.33, 0.03], [0.26, 0.05], [0.22, 0.19], [0.08, 0.27]), 0, 1.03, 0), [
		GOLD_DARK,
		GOLD,
	]);
	const held = (solid: Solid): Solid => move(turn(solid, 'x', -20), -0.34, 0.42, -0.28);
	s.add(held(box(0.05, 0.5, 0.05)), WOOD);
	s.add(held(move(box(0.14, 0.13, 0.3), 0, 0.46, 0)), [IRON_DARK, IRON], 'metal');
	return s;
}

export const FIGURES: Readonly<Record<string, () => Sculpture>> = {
	knight: () => knight().setMovements(FIGHTER_CLIPS),
	archer,
	mage,
	soldier: () => soldier().setMovements(FIGHTER_CLIPS),
	guard,
	goblin: () => goblin().setMovements(FIGHTER_CLIPS),
	skeleton,
	slime,
	dragon,
	giant,
	villager,
	merchant,
	mason,
};
