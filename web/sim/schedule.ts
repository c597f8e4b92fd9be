/**
 * The systems of a tick, in the order in which they run.
 * Owns: that order. To add a system, declare it in `<feature>/<verb-noun>.system.ts` and list it here.
 */

import { castAbilities } from './abilities/cast-abilities.system.ts';
import { regenerateVitals } from './abilities/regenerate-vitals.system.ts';
import { pursueGoals } from './ai/pursue-goals.system.ts';
import { advanceAnimations } from './animation/advance-animations.system.ts';
import { guardBuildings } from './buildings/guard-buildings.system.ts';
import { applyDamage } from './combat/apply-damage.system.ts';
import { checkDeath } from './combat/check-death.system.ts';
import { moveProjectiles } from './combat/move-projectiles.system.ts';
import { runFighters } from './combat/run-fighters.system.ts';
import { setTowerTargets } from './combat/set-tower-targets.system.ts';
import { spreadProjectiles } from './combat/spread-projectiles.system.ts';
import type { System } from './core/system.ts';
import { expireEffects } from './effects/expire-effects.system.ts';
import { tickEffects } from './effects/tick-effects.system.ts';
import { payGold } from './growth/pay-gold.system.ts';
import { shareExperience } from './growth/share-experience.system.ts';
import { expireHud } from './hud/expire-hud.system.ts';
import { applyInputs } from './input/apply-inputs.system.ts';
import { noteMoments } from './looks/note-moments.system.ts';
import { dropLoot } from './loot/drop-loot.system.ts';
import { updateMatch } from './match/update-match.system.ts';
import { followPaths } from './navigation/follow-paths.system.ts';
import { keepToGround } from './navigation/keep-to-ground.system.ts';
import { integrateKinematics } from './physics/integrate-kinematics.system.ts';
import { stepPhysics } from './physics/step-physics.system.ts';
import { removeCorpses } from './respawn/remove-corpses.system.ts';
import { respawnDead } from './respawn/respawn-dead.system.ts';
import { startTimers } from './respawn/start-timers.system.ts';
import { runRules } from './rules/run-rules.system.ts';
import { runScripts } from './scripts/run-scripts.system.ts';
import { resolveAllStats } from './stats/resolve-stats.system.ts';
import { propagateTransforms } from './transform/propagate-transforms.system.ts';
import { runTriggers } from './triggers/run-triggers.system.ts';
import { updateVisibility } from './visibility/update-visibility.system.ts';

export const schedule: readonly System[] = [
	applyInputs,
	// Corrects velocities before any entity moves: those of inputs on this tick, and those of calls and the previous tick.
	keepToGround,
	stepPhysics,
	integrateKinematics,
	propagateTransforms,
	guardBuildings,
	tickEffects,
	resolveAllStats,
	applyDamage,
	checkDeath,
	dropLoot,
	spreadProjectiles,
	moveProjectiles,
	runTriggers,
	pursueGoals,
	// After goals and before fighters: of two systems that steer an entity, the later one wins.
	followPaths,
	setTowerTargets,
	runFighters,
	updateMatch,
	// Before rules, so that a rule that removes the victim does not cost the killer its bounty.
	payGold,
	shareExperience,
	runRules,
	runScripts,
	startTimers,
	respawnDead,
	removeCorpses,
	regenerateVitals,
	castAbilities,
	updateVisibility,
	advanceAnimations,
	// Ends effects and HUD elements after their last tick, so that read-outs omit them.
	expireEffects,
	expireHud,
	noteMoments,
];
