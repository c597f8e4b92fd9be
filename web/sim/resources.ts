/** The explicit list of a world's resources: single immutable values. */

import { CameraPose } from './camera/camera.ts';
import type { Resource } from './core/resource.ts';
import { Heroes } from './heroes/hero.ts';
import { Hud } from './hud/hud.ts';
import { Items } from './items/items.ts';
import { MaterialRegistry } from './looks/materials.ts';
import { Fog, Sky } from './looks/sky.ts';
import { Manifest } from './manifest/manifest.ts';
import { Match } from './match/match.ts';
import { PrefabRegistry } from './prefabs/prefabs.ts';
import { TemplateRegistry } from './templates/templates.ts';
import { Tuning } from './tuning/tuning.ts';

export const resources: readonly Resource[] = [
	CameraPose as Resource,
	Manifest as Resource,
	TemplateRegistry as Resource,
	PrefabRegistry as Resource,
	Hud as Resource,
	Match as Resource,
	Items as Resource,
	Heroes as Resource,
	Tuning as Resource,
	MaterialRegistry as Resource,
	Sky as Resource,
	Fog as Resource,
];
