/**
 * List of all events.
 * Owns: their order, which is the order of kinds in answers.
 */

import { ActionFailed } from './action-failed.ts';
import { Cast } from './cast.ts';
import { CastFailed } from './cast-failed.ts';
import { Collision } from './collision.ts';
import { DamageDealt } from './damage.ts';
import { Death } from './death.ts';
import { EffectExpired } from './effect-expired.ts';
import { Input } from './input.ts';
import { LevelUp } from './level-up.ts';
import { MatchPhase } from './match-phase.ts';
import { PathEnded } from './path-ended.ts';
import { RuleSpawn } from './rule-spawn.ts';
import { Scored } from './score.ts';
import { ScriptError } from './script-error.ts';
import { Signal } from './signal.ts';
import { SoundPlayed } from './sound-played.ts';
import { UiPress } from './ui-press.ts';

export const events = [
	DamageDealt,
	Death,
	Collision,
	RuleSpawn,
	MatchPhase,
	Scored,
	LevelUp,
	Cast,
	CastFailed,
	ActionFailed,
	EffectExpired,
	Signal,
	UiPress,
	SoundPlayed,
	Input,
	ScriptError,
	PathEnded,
] as const;
