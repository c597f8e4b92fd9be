/**
 * The rail: links to the views, signing in, the theme and the keys. On small screens it is at the bottom.
 * Owns: their order on the page.
 */

import { Icon } from '../drawn/icon.tsx';
import { Emblem } from '../drawn/wordmark.tsx';
import { usePanels } from '../state/panels.ts';
import { VIEW_NAMES } from './keys.ts';
import { VIEWS } from './views.ts';

export function Rail() {
	const { navigation, services, theme } = usePanels();
	const { required, agent } = services.session.who.value;
	const other = theme.theme.value === 'dark' ? 'light' : 'dark';
	return (
		<div class="rail">
			<div class="emblem-box">
				<Emblem />
			</div>
			<nav aria-label="Views" style={{ '--views': VIEW_NAMES.length }}>
				{VIEW_NAMES.map((view, index) => (
					<a
						key={view}
						href={`#${view}`}
						aria-current={navigation.view.value === view ? 'page' : undefined}
						title={`${VIEWS[view].label} (${index + 1})`}
						onClick={(event) => {
							event.preventDefault();
							navigation.go(view);
						}}
					>
						<Icon name={VIEWS[view].icon} />
						{VIEWS[view].label}
					</a>
				))}
			</nav>
			<span class="grow" />
			{required && (
				<button
					type="button"
					title={agent === null ? 'Sign in to change the world' : `Signed in as ${agent}`}
					aria-haspopup="dialog"
					onClick={() => {
						navigation.popup.value = 'sign-in';
					}}
				>
					<Icon name="key" />
					<span class="cut">{agent ?? 'Sign in'}</span>
				</button>
			)}
			<button type="button" title={`Change to ${other}`} onClick={() => theme.toggle()}>
				<Icon name={other === 'light' ? 'sun' : 'moon'} />
				Theme
			</button>
			<button
				type="button"
				title="All keys (?)"
				aria-haspopup="dialog"
				onClick={() => {
					navigation.popup.value = 'keys';
				}}
			>
				<Icon name="help" />
				Keys
			</button>
		</div>
	);
}
