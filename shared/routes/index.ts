/**
 * The explicit list of routes.
 * Owns: their order in the documentation. To add a route, declare it in the file of its tag, list it here,
 * and write its handler in web/api.
 */

import type { Route } from '../contract/route.ts';
import * as camera from './camera.ts';
import * as forks from './forks.ts';
import * as gameplay from './gameplay.ts';
import * as operations from './operations.ts';
import * as scenes from './scenes.ts';
import * as simulation from './simulation.ts';
import * as world from './world.ts';

export const routes: readonly Route[] = [
	world.getStatus,
	world.observe,
	world.getEntity,
	world.patchComponents,
	world.spawn,
	world.despawn,
	world.reset,
	world.getDigest,
	simulation.step,
	simulation.play,
	simulation.pause,
	gameplay.damage,
	gameplay.heal,
	gameplay.tag,
	operations.getSchema,
	operations.getOpenApi,
	operations.diagnose,
	operations.getEvents,
	operations.postEvent,
	operations.getProfile,
	operations.getGpu,
	forks.createFork,
	forks.listForks,
	forks.deleteFork,
	forks.stepFork,
	forks.observeFork,
	scenes.loadLevel,
	camera.getCamera,
	camera.setCamera,
	camera.setCameraView,
	camera.focusCamera,
	camera.getScreenshot,
	camera.postScreenshot,
];
