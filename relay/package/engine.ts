/** `import ... from 'orrery/engine'`: an engine in the caller's own process. */

export { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
