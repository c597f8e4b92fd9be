/** `import ... from 'orrery'`: the typed client, and the declaration of every route by name. */

export type { ErrorBody, ErrorCode } from '../../shared/contract/errors.ts';
export type { Answer, Body, Route } from '../../shared/contract/route.ts';
export type { CallHandler, CallSignal, WireRequest, WireResponse } from '../../shared/contract/wire.ts';
export * from '../../shared/routes/actions.ts';
export * from '../../shared/routes/animation.ts';
export * from '../../shared/routes/assertions.ts';
export * from '../../shared/routes/assets.ts';
export * from '../../shared/routes/audio.ts';
export * from '../../shared/routes/auth.ts';
export * from '../../shared/routes/batch.ts';
export * from '../../shared/routes/calls.ts';
export * from '../../shared/routes/camera.ts';
export * from '../../shared/routes/catalog.ts';
export * from '../../shared/routes/economy.ts';
export * from '../../shared/routes/effects.ts';
export * from '../../shared/routes/environment.ts';
export * from '../../shared/routes/feedback.ts';
export * from '../../shared/routes/fighting.ts';
export * from '../../shared/routes/foliage.ts';
export * from '../../shared/routes/forks.ts';
export * from '../../shared/routes/gameplay.ts';
export * from '../../shared/routes/generate.ts';
export * from '../../shared/routes/heroes.ts';
export { routes } from '../../shared/routes/index.ts';
export * from '../../shared/routes/input.ts';
export * from '../../shared/routes/journal.ts';
export * from '../../shared/routes/match.ts';
export * from '../../shared/routes/materials.ts';
export * from '../../shared/routes/navigation.ts';
export * from '../../shared/routes/operations.ts';
export * from '../../shared/routes/particles.ts';
export * from '../../shared/routes/postprocess.ts';
export * from '../../shared/routes/rules.ts';
export * from '../../shared/routes/scenes.ts';
export * from '../../shared/routes/scripts.ts';
export * from '../../shared/routes/simulation.ts';
export * from '../../shared/routes/sky.ts';
export * from '../../shared/routes/snapshots.ts';
export * from '../../shared/routes/sweep.ts';
export * from '../../shared/routes/templates.ts';
export * from '../../shared/routes/terrain.ts';
export * from '../../shared/routes/tuning.ts';
export * from '../../shared/routes/ui.ts';
export * from '../../shared/routes/why.ts';
export * from '../../shared/routes/world.ts';
export * from '../../shared/routes/worlds.ts';
export {
	CallError,
	type CallInput,
	type Client,
	createClient,
	httpHandle,
	type RawCall,
} from '../../shared/transport/client.ts';
export { type FollowedEvent, type Following, followEvents } from '../../shared/transport/follow-events.ts';
