/**
 * Paths of the routes that the relay knows: it answers some itself if the engine cannot. It needs no schemas for them, which take memory
 * and time to load.
 * Owns: those paths; the routes are declared with them.
 */

export const STATUS_PATH = '/';
export const HEALTH_PATH = '/health';
export const MCP_PATH = '/mcp';
export const LOGIN_PATH = '/auth/login';
export const SESSION_PATH = '/auth/status';
/** Everything of the OpenEnv standard is below it. */
export const OPENENV_PATH = '/openenv';
export const OPENENV_SOCKET_PATH = '/openenv/ws';
/** Worlds beside main. */
export const WORLDS_PATH = '/worlds';
export const END_ENGINE_PATH = '/engine/worker/{held_world}';
