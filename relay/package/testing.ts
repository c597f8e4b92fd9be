/** `import ... from 'orrery/testing'`: an engine as request handlers of msw, which intercept `fetch`. */

export { engineHandlers } from '../../web/host/msw-handlers.ts';
