/** The explicit list of a world's resources: single immutable values. */

import { ActionRegistry } from './actions/actions.ts';
import { AnimationLibrary } from './animation/library.ts';
import { CameraPose } from './camera/camera.ts';
import { CameraMovement } from './camera/camera-movement.ts';
import { Shakes } from './camera/shake.ts';
import type { Resource } from './core/resource.ts';
import { Environment } from './environment/environment.ts';
import { Foliage } from './foliage/foliage.ts';
import { Heroes } from './heroes/hero.ts';
import { Hud } from './hud/hud.ts';
import { InputBindings } from './input/input-map.ts';
import { Inputs } from './input/inputs.ts';
import { Items } from './items/items.ts';
import { Feedback, ShownMoments } from './looks/feedback.ts';
import { MaterialRegistry } from './looks/materials.ts';
import { Postprocess } from './looks/postprocess.ts';
import { Fog, Sky } from './looks/sky.ts';
import { Manifest } from './manifest/manifest.ts';
import { Match } from './match/match.ts';
import { Cause } from './match/match-cause.ts';
import { Navmesh, NavmeshShown } from './navigation/settings.ts';
import { Owners } from './owners/owners.ts';
import { Shares } from './owners/shares.ts';
import { PrefabRegistry } from './prefabs/prefabs.ts';
import { ScriptSources } from './scripts/sources.ts';
import { Mixer } from './sound/mixer.ts';
import { TemplateRegistry } from './templates/templates.ts';
import { Tuning } from './tuning/tuning.ts';
import { WorldName } from './world-name/world-name.ts';

export const resources: readonly Resource[] = [
	CameraPose as Resource,
	CameraMovement as Resource,
	Shakes as Resource,
	WorldName as Resource,
	Manifest as Resource,
	Environment as Resource,
	ActionRegistry as Resource,
	TemplateRegistry as Resource,
	PrefabRegistry as Resource,
	Hud as Resource,
	Match as Resource,
	Cause as Resource,
	Items as Resource,
	Heroes as Resource,
	Tuning as Resource,
	MaterialRegistry as Resource,
	Sky as Resource,
	Fog as Resource,
	Postprocess as Resource,
	Feedback as Resource,
	ShownMoments as Resource,
	Foliage as Resource,
	Mixer as Resource,
	AnimationLibrary as Resource,
	InputBindings as Resource,
	Inputs as Resource,
	ScriptSources as Resource,
	Navmesh as Resource,
	NavmeshShown as Resource,
	Owners as Resource,
	Shares as Resource,
];
