/**
 * The systems of a tick, in the order in which they run.
 * Owns: that order. To add a system, write `<feature>/<verb-noun>.system.ts` and give it a line here.
 */

import { castAbilities } from './abilities/cast-abilities.system.ts';
import { regenerate } from './abilities/regenerate.system.ts';
import { pursueGoals } from './ai/pursue-goals.system.ts';
import { guardBuildings } from './buildings/guard-buildings.system.ts';
import { applyDamage } from './combat/apply-damage.system.ts';
import { autoCombat } from './combat/auto-combat.system.ts';
import { checkDeath } from './combat/check-death.system.ts';
import { moveProjectiles } from './combat/move-projectiles.system.ts';
import { spreadProjectiles } from './combat/spread-projectiles.system.ts';
import { towerAggro } from './combat/tower-aggro.system.ts';
import type { World } from './core/world.ts';
import { expireEffects } from './effects/expire-effects.system.ts';
import { tickEffects } from './effects/tick-effects.system.ts';
import { payGold } from './growth/pay-gold.system.ts';
import { shareExperience } from './growth/share-experience.system.ts';
import { dropLoot } from './loot/drop-loot.system.ts';
import { updateMatch } from './match/update-match.system.ts';
import { integrateKinematics } from './physics/integrate-kinematics.system.ts';
import { stepPhysics } from './physics/step-physics.system.ts';
import { removeCorpses } from './respawn/remove-corpses.system.ts';
import { respawnDead } from './respawn/respawn.system.ts';
import { startTimers } from './respawn/start-timers.system.ts';
import { runRules } from './rules/run-rules.system.ts';
import { resolveAllStats } from './stats/resolve-stats.system.ts';
import { propagateTransforms } from './transform/propagate-transforms.system.ts';
import { runTriggers } from './triggers/run-triggers.system.ts';
import { updateVisibility } from './visibility/update-visibility.system.ts';

export interface System {
	readonly name: string;
	run(world: World): void;
	/** Whether it may ask for chance. The worlds of a tick part only in such systems. */
	readonly chance?: true;
}

export const schedule: readonly System[] = [
	{ name: 'step-physics', run: stepPhysics },
	{ name: 'integrate-kinematics', run: integrateKinematics },
	{ name: 'propagate-transforms', run: propagateTransforms },
	{ name: 'guard-buildings', run: guardBuildings },
	{ name: 'tick-effects', run: tickEffects },
	{ name: 'resolve-stats', run: resolveAllStats },
	{ name: 'apply-damage', run: applyDamage },
	{ name: 'check-death', run: checkDeath },
	{ name: 'drop-loot', run: dropLoot, chance: true },
	{ name: 'spread-projectiles', run: spreadProjectiles, chance: true },
	{ name: 'move-projectiles', run: moveProjectiles },
	{ name: 'run-triggers', run: runTriggers },
	{ name: 'pursue-goals', run: pursueGoals },
	{ name: 'tower-aggro', run: towerAggro },
	{ name: 'auto-combat', run: autoCombat, chance: true },
	{ name: 'update-match', run: updateMatch },
	// Before rules, so that a rule that removes the victim does not cost the killer its bounty.
	{ name: 'pay-gold', run: payGold },
	{ name: 'share-experience', run: shareExperience },
	{ name: 'run-rules', run: runRules, chance: true },
	{ name: 'start-timers', run: startTimers },
	{ name: 'respawn', run: respawnDead },
	{ name: 'remove-corpses', run: removeCorpses },
	{ name: 'regenerate', run: regenerate },
	{ name: 'cast-abilities', run: castAbilities },
	{ name: 'update-visibility', run: updateVisibility },
	// What ends with this tick: it has worked on all of its ticks, and read-outs no longer show it.
	{ name: 'expire-effects', run: expireEffects },
];
