/**
 * The path of a call, completed with the routes of the schema.
 * Owns: the list of routes under the field, and the keys that move in it.
 */

import { useRef, useState } from 'preact/hooks';
import { usePanels } from '../state/panels.ts';
import { routeProposals } from './completion.ts';
import type { RouteInfo } from './route-list.ts';

const MAX_PROPOSALS = 8;

export function PathField() {
	const { console: state } = usePanels();
	const [open, setOpen] = useState(false);
	const [activeIndex, setActiveIndex] = useState(0);
	const input = useRef<HTMLInputElement>(null);
	const { path, routes, route, answer } = state;
	const proposals = open ? routeProposals(routes.value, path.value).slice(0, MAX_PROPOSALS) : [];
	const chosen = proposals[Math.min(activeIndex, proposals.length - 1)];
	const take = (routeInfo: RouteInfo) => {
		state.take(routeInfo);
		setOpen(false);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (proposals.length === 0) return;
		if (event.key === 'ArrowDown') setActiveIndex((activeIndex + 1) % proposals.length);
		else if (event.key === 'ArrowUp') setActiveIndex((activeIndex - 1 + proposals.length) % proposals.length);
		else if (event.key === 'Tab' && chosen && chosen !== route.value) take(chosen);
		else if (event.key === 'Escape') {
			setOpen(false);
			event.stopPropagation();
		} else return;
		event.preventDefault();
	};
	return (
		<span class={`field path${answer.value?.status === 404 ? ' error' : ''}`}>
			<input
				ref={input}
				data-search
				role="combobox"
				aria-label="Path"
				aria-expanded={proposals.length > 0}
				aria-controls="path-proposals"
				aria-autocomplete="list"
				aria-activedescendant={chosen && `path-${proposals.indexOf(chosen)}`}
				autocomplete="off"
				spellcheck={false}
				value={path.value}
				onInput={(event) => {
					path.value = event.currentTarget.value;
					setOpen(true);
					setActiveIndex(0);
				}}
				onKeyDown={onKeyDown}
				onBlur={() => setOpen(false)}
			/>
			{proposals.length > 0 && (
				<div class="popup proposals" id="path-proposals" role="listbox" aria-label="Routes">
					{proposals.map((proposal, index) => (
						// The field keeps the focus and hears the keys.
						// biome-ignore lint/a11y/useKeyWithClickEvents: see above
						// biome-ignore lint/a11y/useFocusableInteractive: see above
						<div
							key={`${proposal.method} ${proposal.path}`}
							id={`path-${index}`}
							role="option"
							aria-selected={proposal === chosen}
							onPointerDown={(event) => event.preventDefault()}
							onClick={() => take(proposal)}
						>
							<code>
								{proposal.method} {proposal.path}
							</code>
							<span class="cut">{proposal.summary}</span>
						</div>
					))}
					<p>
						<kbd>Tab</kbd> inserts it, with its example. {routes.value.length} routes in the live schema.
					</p>
				</div>
			)}
		</span>
	);
}
