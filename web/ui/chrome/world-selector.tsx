/**
 * The world selector: main and the forks, and branching off.
 * Owns: its popup. Focus goes back to the button when it closes.
 */

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { Lamp, type LampState } from '../drawn/marks.tsx';
import { Signature } from '../drawn/signature.tsx';
import { count, formatNumber } from '../numbers.ts';
import { type Panels, usePanels } from '../state/panels.ts';
import { MAIN, type WorldInfo } from '../worlds/fork-list.ts';

/** Returns the lamp of the selected world, a word for it, and details. */
function lampOf({ services, worlds }: Panels): readonly [LampState, word: string, details?: string] {
	if (services.failure.value !== null) return ['lost', 'lost'];
	const selectedWorld = worlds.selectedInfo.value;
	if (selectedWorld === null) return ['waiting', 'starting'];
	if (!selectedWorld.playing) return ['hollow', 'paused'];
	const dropped = selectedWorld.id === MAIN ? (services.status.value?.dropped_ticks ?? 0) : 0;
	return dropped > 0
		? ['waiting', 'behind', `running, ${count(dropped, 'tick')} skipped because it was too slow`]
		: ['on', 'running'];
}

export function WorldSelector() {
	const panels = usePanels();
	const { navigation, worlds } = panels;
	const open = navigation.popup.value === 'worlds';
	const button = useRef<HTMLButtonElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const was = useRef(false);
	const forks = worlds.forks.value;
	const [lamp, word, details = word] = lampOf(panels);

	useEffect(() => {
		if (open) list.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
		else if (was.current && document.activeElement === document.body) button.current?.focus();
		was.current = open;
		if (!open) return;
		const away = (event: PointerEvent) => {
			const target = event.target as Node;
			if (!list.current?.contains(target) && !button.current?.contains(target)) navigation.popup.value = null;
		};
		document.addEventListener('pointerdown', away);
		return () => document.removeEventListener('pointerdown', away);
	}, [open, navigation]);

	return (
		<div class="world-selector">
			<button
				ref={button}
				type="button"
				class="button world"
				aria-haspopup="menu"
				aria-expanded={open}
				title={`World ${worlds.selected.value}: ${details}`}
				onClick={() => {
					navigation.popup.value = open ? null : 'worlds';
				}}
			>
				<Lamp state={lamp} live={word === 'running'} />
				<span class="cut">{worlds.selected.value}</span>
				<span class="faint cut">{forks.length > 0 ? count(forks.length, 'fork') : word}</span>
				<Icon name="down" />
			</button>
			{open && (
				<WorldsMenu
					list={list}
					close={() => {
						navigation.popup.value = null;
						button.current?.focus();
					}}
				/>
			)}
		</div>
	);
}

interface WorldsMenuProps {
	readonly list: RefObject<HTMLDivElement | null>;
	/** Closes the popup. The focus returns to the button. */
	readonly close: () => void;
}

function WorldsMenu({ list, close }: WorldsMenuProps) {
	const { navigation, worlds } = usePanels();
	const selected = worlds.selected.value;
	const infos: readonly (WorldInfo | null)[] = [worlds.main.value, ...worlds.forks.value];
	const moveFocus = (event: KeyboardEvent) => {
		const items = [...list.current!.querySelectorAll<HTMLElement>('button')];
		const current = items.indexOf(document.activeElement as HTMLElement);
		const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: items.length - 1 }[
			event.key
		];
		if (target === undefined) {
			if (event.key === 'Tab') navigation.popup.value = null;
			return;
		}
		event.preventDefault();
		items[(target + items.length) % items.length]?.focus();
	};
	return (
		<div
			ref={list}
			class="popup worlds-popup"
			role="menu"
			aria-label="Worlds"
			tabIndex={-1}
			onKeyDown={moveFocus}
		>
			{infos.map(
				(world) =>
					world !== null && (
						<button
							key={world.id}
							type="button"
							role="menuitemradio"
							aria-checked={world.id === selected}
							onClick={() => {
								worlds.select(world.id);
								close();
							}}
						>
							<Signature digest={world.digest} size={20} />
							<span class="cut">{world.id}</span>
							<span class="faint">tick {formatNumber(world.tick)}</span>
						</button>
					),
			)}
			<button
				type="button"
				role="menuitem"
				class="extra"
				onClick={() => {
					void worlds.forking.branch(selected);
					close();
				}}
			>
				<Icon name="forks" small />
				Branch {selected} now
			</button>
		</div>
	);
}
