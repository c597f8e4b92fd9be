/** Puppeteer must not download a browser while packages install: the set-up step looks for one first. */
module.exports = { skipDownload: true };
