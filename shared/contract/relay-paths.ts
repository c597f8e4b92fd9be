/**
 * Paths of routes that the relay knows. It answers some of them if the engine cannot. This file has no schemas, because
 * these take memory and time to load.
 * Owns: these paths. The declarations of the routes use them.
 */

export const STATUS_PATH = '/';
export const HEALTH_PATH = '/health';
export const MCP_PATH = '/mcp';
export const LOGIN_PATH = '/auth/login';
export const SESSION_PATH = '/auth/status';
/** Start of all paths of the OpenEnv standard. */
export const OPENENV_PATH = '/openenv';
export const OPENENV_SOCKET_PATH = '/openenv/ws';
/** Worlds beside main. */
export const WORLDS_PATH = '/worlds';
export const END_ENGINE_PATH = '/engine/worker/{held_world}';
