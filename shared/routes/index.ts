/**
 * List of all routes.
 * Owns: their order in the documentation. To add a route, declare it in the file of its tag, list it here,
 * and write its handler in web/api.
 */

import type { Method, Route } from '../contract/route.ts';
import * as actions from './actions.ts';
import * as animation from './animation.ts';
import * as assertions from './assertions.ts';
import * as assets from './assets.ts';
import * as audio from './audio.ts';
import * as auth from './auth.ts';
import * as batch from './batch.ts';
import * as calls from './calls.ts';
import * as camera from './camera.ts';
import * as catalog from './catalog.ts';
import * as economy from './economy.ts';
import * as effects from './effects.ts';
import * as environment from './environment.ts';
import * as feedback from './feedback.ts';
import * as fighting from './fighting.ts';
import * as foliage from './foliage.ts';
import * as forks from './forks.ts';
import * as gameplay from './gameplay.ts';
import * as generate from './generate.ts';
import * as heroes from './heroes.ts';
import * as input from './input.ts';
import * as journal from './journal.ts';
import * as match from './match.ts';
import * as materials from './materials.ts';
import * as navigation from './navigation.ts';
import * as operations from './operations.ts';
import * as particles from './particles.ts';
import * as postprocess from './postprocess.ts';
import * as rules from './rules.ts';
import * as scenes from './scenes.ts';
import * as scripts from './scripts.ts';
import * as simulation from './simulation.ts';
import * as sky from './sky.ts';
import * as snapshots from './snapshots.ts';
import * as sweep from './sweep.ts';
import * as templates from './templates.ts';
import * as terrain from './terrain.ts';
import * as tuning from './tuning.ts';
import * as ui from './ui.ts';
import * as why from './why.ts';
import * as world from './world.ts';
import * as worlds from './worlds.ts';

const firstPart = [
	world.getStatus,
	world.getHealth,
	world.observe,
	world.getEntity,
	world.patchComponents,
	world.spawn,
	world.despawn,
	world.reset,
	world.renameWorld,
	world.getDigest,
	simulation.peek,
	simulation.step,
	simulation.play,
	simulation.pause,
	gameplay.damage,
	gameplay.heal,
	gameplay.tag,
	actions.listActions,
	actions.runAction,
	match.createGame,
	match.startGame,
	match.getGame,
	match.getSummary,
	match.endGame,
	match.removeGame,
	input.bindInput,
	input.unbindInput,
	input.listInput,
	input.pushContext,
	input.popContext,
	input.pressInput,
	input.releaseInput,
	input.moveAxis,
	tuning.getTuning,
	tuning.setTuning,
	tuning.resetTuning,
	environment.getEnvironment,
	environment.setEnvironment,
	heroes.defineHero,
	heroes.selectHero,
	heroes.listHeroes,
	heroes.getHero,
	heroes.removeHero,
	heroes.useAbility,
	heroes.listAbilities,
	heroes.setAbilities,
	heroes.removeAbility,
	effects.applyEffect,
	effects.listEffects,
	effects.cleanse,
	effects.removeEffect,
	economy.defineItem,
	economy.listItems,
	economy.removeItem,
	economy.giveItem,
	economy.takeItem,
	economy.equipItem,
	economy.unequipItem,
	economy.listInventory,
	economy.buyItem,
	economy.sellItem,
	economy.listShop,
	fighting.createTrigger,
	fighting.listTriggers,
	fighting.changeTrigger,
	fighting.deleteTrigger,
	fighting.createProjectile,
	fighting.listProjectiles,
	fighting.deleteProjectile,
	fighting.setAi,
	fighting.setViewFilter,
	rules.createRule,
	rules.listRules,
	rules.getRule,
	rules.changeRule,
	rules.deleteRule,
	operations.getSchema,
	operations.getRecipes,
	operations.getOpenApi,
	operations.diagnose,
	why.whyFire,
	why.whyReach,
	why.whyDead,
	why.whyVisible,
] as const satisfies readonly Route[];

const secondPart = [
	operations.getEvents,
	operations.streamEvents,
	operations.postEvent,
	operations.watch,
	operations.getProfile,
	operations.getGpu,
	operations.endEngine,
	calls.listCalls,
	calls.cancelCall,
	journal.getJournal,
	journal.getHistory,
	journal.firstTick,
	journal.historyEvents,
	journal.forkHistory,
	journal.replayHistory,
	journal.undo,
	journal.redo,
	worlds.createWorld,
	worlds.listWorlds,
	worlds.deleteWorld,
	forks.createFork,
	forks.listForks,
	forks.deleteFork,
	forks.stepFork,
	forks.stepForks,
	forks.observeFork,
	forks.promoteFork,
	forks.diffFork,
	sweep.sweep,
	sweep.inevitable,
	snapshots.takeSnapshot,
	snapshots.listSnapshots,
	snapshots.latestSnapshot,
	snapshots.getSnapshot,
	snapshots.diffSnapshots,
	snapshots.restoreSnapshot,
	snapshots.deleteSnapshot,
	snapshots.probe,
	snapshots.probeFork,
	assertions.createAssertion,
	assertions.evaluateAssertions,
	assertions.assertionResults,
	assertions.listAssertions,
	assertions.deleteAssertion,
	assertions.setManifest,
	assertions.getManifest,
	assertions.removeManifest,
	assertions.changeFeature,
	batch.batch,
	templates.createTemplate,
	templates.spawnTemplate,
	templates.listTemplates,
	templates.getTemplate,
	templates.deleteTemplate,
	templates.spawnPrefab,
	templates.listPrefabs,
	templates.getPrefab,
	templates.registerPrefab,
	templates.deletePrefab,
	operations.getNetStatus,
	scenes.applyScenario,
	scenes.exportScenario,
	scenes.applyForkScenario,
	scenes.exportForkScenario,
	scenes.saveScene,
	scenes.loadScene,
	scenes.openScene,
	scenes.loadLevel,
	scenes.saveLevel,
	camera.getCamera,
	camera.setCamera,
	camera.setCameraView,
	camera.focusCamera,
	camera.followWithCamera,
	camera.orbitWithCamera,
	camera.moveCameraAlong,
	camera.stopCamera,
	camera.shakeCamera,
	materials.setMaterial,
	materials.getEntityMaterial,
	materials.defineMaterial,
	materials.listMaterials,
	materials.getMaterial,
	materials.deleteMaterial,
] as const satisfies readonly Route[];

const thirdPart = [
	sky.getSky,
	sky.setSky,
	sky.getFog,
	sky.setFog,
	postprocess.getPostprocess,
	postprocess.setPostprocess,
	postprocess.presetPostprocess,
	feedback.getFeedback,
	feedback.setFeedback,
	particles.createParticles,
	particles.emitParticles,
	particles.stopParticles,
	particles.listParticles,
	animation.loadAnimations,
	animation.listAnimations,
	animation.playAnimation,
	animation.stopAnimation,
	animation.setStateMachine,
	animation.setAnimationParameter,
	animation.playMontage,
	terrain.createTerrain,
	terrain.editTerrain,
	terrain.terrainHeight,
	terrain.terrainHeights,
	terrain.readTerrain,
	terrain.listTerrains,
	foliage.scatterFoliage,
	foliage.listFoliage,
	foliage.removeFoliage,
	navigation.generateNavmesh,
	navigation.getNavmesh,
	navigation.removeNavmesh,
	navigation.showNavmesh,
	navigation.computePath,
	navigation.setPath,
	navigation.listPaths,
	navigation.getPath,
	navigation.cancelPath,
	audio.playAudio,
	audio.stopAudio,
	audio.listAudio,
	audio.getBuses,
	audio.setBus,
	audio.getListener,
	audio.setListener,
	camera.getFrame,
	camera.getScreenshot,
	camera.postScreenshot,
	ui.showText,
	ui.showBar,
	ui.showRect,
	ui.showImage,
	ui.showButton,
	ui.pressButton,
	ui.updateElement,
	ui.removeElement,
	ui.clearUi,
	ui.listElements,
	scripts.loadScript,
	scripts.listScripts,
	scripts.enableScript,
	scripts.unloadScript,
	catalog.getCatalog,
	assets.uploadAsset,
	assets.listAssets,
	assets.getAsset,
	assets.deleteAsset,
	generate.generateAsset,
	generate.generationStatus,
	generate.listGenerated,
	generate.cancelGeneration,
	generate.listProviders,
	auth.login,
	auth.authStatus,
	auth.logout,
] as const satisfies readonly Route[];

/** All routes. The list has three parts, because the compiler cannot write the type of the whole list. */
export const routes: readonly [...typeof firstPart, ...typeof secondPart, ...typeof thirdPart] = [
	...firstPart,
	...secondPart,
	...thirdPart,
];

type DeclaredRoute = (typeof routes)[number];

/** Type of the declaration with a method and path. */
export type RouteAt<M extends Method, P extends string> = Extract<
	DeclaredRoute,
	{ readonly method: M; readonly path: P }
>;

/** All paths with a method. */
export type PathOf<M extends Method> = Extract<DeclaredRoute, { readonly method: M }>['path'];
