/**
 * Puts the panels on the page.
 * Owns: mounting and unmounting them.
 */

import './style/index.css';
import { render } from 'preact';
import { VIEWS } from './chrome/views.ts';
import { Page } from './page.tsx';
import type { MountedPanels, PanelServices } from './services.ts';
import { createPanels, PanelsContext } from './state/panels.ts';

/**
 * Draws the panels into `root`, which then fills the window. The returned canvas is already in the document and has its
 * size, whatever the first view is, so the caller can start drawing on it immediately.
 */
export function mountPanels(root: HTMLElement, services: PanelServices): MountedPanels {
	const panels = createPanels(services, VIEWS);
	render(
		<PanelsContext.Provider value={panels}>
			<Page />
		</PanelsContext.Provider>,
		root,
	);
	return {
		canvas: panels.canvas,
		unmount() {
			render(null, root);
			panels.stop();
		},
	};
}
