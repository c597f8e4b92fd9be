/**
 * The own worlds of a person: new ones, saved ones, and the world of a link.
 * Owns: the templates. The old main is kept as a fork.
 */

import { useRef } from 'preact/hooks';
import { Icon, type IconName } from '../drawn/icon.tsx';
import { ShareButtons } from '../files/share-buttons.tsx';
import { usePanels } from '../state/panels.ts';
import type { Requests } from './replace-main.ts';
import { WorldList } from './world-list.tsx';

interface Template {
	readonly name: string;
	/** Title of the new world. */
	readonly title: string;
	readonly icon: IconName;
	readonly says: string;
	readonly requests: Requests;
}

const GROUND = {
	name: 'Ground',
	mesh: 'cube',
	color: 'green',
	position: [0, -0.25, 0],
	scale: [40, 0.5, 40],
	physics_body: 'Static',
	collider: { shape: 'Aabb', hx: 20, hy: 0.25, hz: 20 },
};

const TEMPLATES: readonly Template[] = [
	{ name: 'Empty', title: 'World', icon: 'plus', says: 'Nothing in it', requests: [] },
	{
		name: 'Ground',
		title: 'Ground',
		icon: 'plane',
		says: 'Flat ground that things stand on',
		requests: [{ path: '/spawn', body: GROUND }],
	},
	{
		name: 'Hills',
		title: 'Hills',
		icon: 'cone',
		says: 'Terrain with hills, and grass on it',
		requests: [
			{
				path: '/terrain/create',
				body: { width: 65, height: 65, centered: true, noise: { seed: 7, amount: 4 } },
			},
			{ path: '/foliage/scatter', body: { mesh_name: 'grass', density: 0.5 } },
		],
	},
	{
		name: 'Walk',
		title: 'Walk',
		icon: 'hero',
		says: 'Ground, and a hero to play',
		requests: [
			{ path: '/spawn', body: GROUND },
			{
				path: '/spawn',
				body: {
					name: 'Hero',
					mesh: 'models/knight.glb',
					position: [0, 0.6, 0],
					physics_body: 'Kinematic',
					stance: { offset: [0, -0.6, 0], looks: 'heading' },
					combat: true,
					role: 'hero',
					team: 1,
					health: 200,
					combat_damage: 20,
					combat_range: 2,
					combat_speed: 4,
					combat_cooldown: 1,
				},
			},
		],
	},
];

export function OwnWorlds() {
	const { scenes, sharing, worlds } = usePanels();
	const file = useRef<HTMLInputElement>(null);
	const isOpening = scenes.opening.value !== null || worlds.main.value === null;
	const selectedWorld = worlds.selectedInfo.value;
	return (
		<section class="own-worlds" aria-label="Your worlds">
			<header class="offer-head">
				<h2>Your own</h2>
				<span class="soft">Start a new world, or open one that you saved.</span>
			</header>
			<div class="row">
				{TEMPLATES.map(({ name, title, icon, says, requests }) => (
					<button
						key={name}
						type="button"
						class="button"
						title={says}
						aria-label={`New world: ${name}`}
						disabled={isOpening}
						onClick={() => void scenes.fill(title, async () => requests)}
					>
						<Icon name={icon} small />
						{name}
					</button>
				))}
				<button type="button" class="button" disabled={isOpening} onClick={() => file.current!.click()}>
					<Icon name="up" small />
					Open a file
				</button>
				<input
					ref={file}
					type="file"
					class="only-said"
					aria-label="File of a world"
					tabIndex={-1}
					accept=".json,application/json"
					onChange={(event) => {
						const input = event.currentTarget;
						const [file] = input.files ?? [];
						if (file !== undefined) void sharing.open(file);
						// Allows choosing the same file again.
						input.value = '';
					}}
				/>
				{(selectedWorld?.entityCount ?? 0) > 0 && <ShareButtons />}
			</div>
			<WorldList />
		</section>
	);
}

/** Offers the world of the address. */
export function OfferedWorld() {
	const { scenes, sharing, worlds } = usePanels();
	if (sharing.offeredFragment.value === null) return null;
	return (
		<section class="card offered-world" aria-label="World of the link">
			<p>
				<b>This link carries a world.</b> It opens as a world of its own; the current world stays as it is.
			</p>
			<div class="row">
				<button
					type="button"
					class="button primary"
					disabled={scenes.opening.value !== null || worlds.main.value === null}
					onClick={() => void sharing.openLink()}
				>
					Open it
				</button>
				<button type="button" class="button quiet" onClick={() => sharing.dismiss()}>
					Not now
				</button>
			</div>
		</section>
	);
}
