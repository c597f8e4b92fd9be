/** `import ... from 'orrery/testing'`: an engine behind `fetch`, as request handlers of msw. */

export { engineHandlers } from '../../web/host/msw-handlers.ts';
