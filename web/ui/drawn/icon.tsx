/**
 * The icons: lines of 1.5 px in a box of 20, drawn for this page.
 * Owns: every icon. Never: takes a colour of its own.
 */

const SHAPES = {
	// Views.
	start: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14M10 6.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7M10 9.6v.8',
	make: 'M10 2.5v2M10 4.5L5 17M10 4.5L15 17M6.6 13h6.8',
	odds: 'M3.5 3.5h13v13h-13zM7 6.4a.6.6 0 1 0 0 1.2a.6.6 0 0 0 0-1.2M10 9.4a.6.6 0 1 0 0 1.2a.6.6 0 0 0 0-1.2M13 12.4a.6.6 0 1 0 0 1.2a.6.6 0 0 0 0-1.2',
	forks: 'M6 17V3M6 12.5c0-3.5 8-2 8-6M14 2.5a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 0 1 0-3.8',
	api: 'M3 5l5 5l-5 5M10.5 15.5h6.5',
	// Time.
	play: 'M6 4l10 6l-10 6z',
	pause: 'M7 4v12M13 4v12',
	step: 'M4.5 4.5l8.5 5.5l-8.5 5.5zM16 4.5v11',
	step60: 'M2.5 5l6.5 5l-6.5 5zM9 5l6.5 5L9 15zM17.5 4.5v11',
	undo: 'M7 5L3.5 8.5L7 12M4 8.5h7.5a4 4 0 0 1 0 8H9',
	redo: 'M13 5l3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8H11',
	// World.
	cube: 'M10 2.5l6.5 3.6v7.6L10 17.5l-6.5-3.8V6.1zM3.7 6.2L10 9.8l6.3-3.6M10 9.8v7.5',
	sphere: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14M3 10c2 3 12 3 14 0',
	cylinder: 'M4.5 5.5c0-3.2 11-3.2 11 0v9c0 3.2-11 3.2-11 0zM4.5 5.5c0 3.2 11 3.2 11 0',
	cone: 'M10 2.5L4 14.5c0 3 12 3 12 0zM4 14.5c0-3 12-3 12 0',
	plane: 'M2.5 13L8 7h9.5L12 13z',
	model: 'M10 2.5l6.5 7.5l-6.5 7.5L3.5 10zM3.5 10h13',
	point: 'M10 8a2 2 0 1 1 0 4a2 2 0 0 1 0-4M10 3v2M10 15v2M3 10h2M15 10h2',
	hero: 'M10 2.5l3.5 5.5h-7zM7.5 8l-2.5 7h10l-2.5-7M4 17h12',
	minion: 'M10 4a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 0 1 0-5.4M8.6 9.2L6 15.5h8l-2.6-6.3M4.5 17.5h11',
	tower: 'M6 3v4h8V3M10 3v2M7 7l-1 10h8l-1-10M4.5 17.5h11',
	structure: 'M3 17V9.5C5 5 15 5 17 9.5V17zM8 17v-4h4v4',
	// Tools.
	search: 'M8.8 3.5a5.3 5.3 0 1 1 0 10.6a5.3 5.3 0 0 1 0-10.6M12.8 12.8L17 17',
	plus: 'M10 4v12M4 10h12',
	close: 'M5 5l10 10M15 5L5 15',
	copy: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
	send: 'M3.5 10h13M11.5 5l5 5l-5 5',
	help: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14M7.9 8.2c.2-2.8 4.4-2.6 4.3 0c0 1.6-2.2 1.7-2.2 3.3M10 13.9v.2',
	sun: 'M10 6.6a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 0 1 0-6.8M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M15.7 4.3l-1.2 1.2M5.5 14.5l-1.2 1.2',
	sound: 'M3.5 8v4h2.6l3.9 3.4V4.6L6.1 8zM13 7.6a3.6 3.6 0 0 1 0 4.8M15.3 5.3a7 7 0 0 1 0 9.4',
	moon: 'M15.8 12.6A6.8 6.8 0 0 1 7.4 4.2a6.8 6.8 0 1 0 8.4 8.4z',
	down: 'M5 7.5l5 5l5-5',
	right: 'M7.5 5l5 5l-5 5',
	check: 'M4 10.5l4 4l8-9',
	warn: 'M10 3.5l7.5 13h-15zM10 8.5v3.5M10 14v.2',
	look: 'M10 4.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M10 2v4M10 14v4M2 10h4M14 10h4',
	up: 'M10 16.5v-13M5 8.5l5-5l5 5',
	bin: 'M3.5 5.5h13M8 5.5V3h4v2.5M5 5.5l1 11.5h8l1-11.5M8.5 8.5v5.5M11.5 8.5v5.5',
	history: 'M4 6.5a7 7 0 1 1-1 3.5M4 3v3.7h3.7M10 6.5v4l2.6 1.6',
	blow: 'M16.5 3.5L8 12M5 9.5l5.5 5.5M3 17l3.5-3.5',
	sword: 'M16.5 3.5l-9 9M4 11.5l4.5 4.5M6.2 13.800L3.5 16.500M16.5 3.500l-.7 3.200l-7.3 7.3',
	shield: 'M10 2.500l6 2v5c0 4-3 6.5-6 8c-3-1.5-6-4-6-8v-5z',
	wind: 'M3 8h9a2.5 2.5 0 1 0-2.5-2.500M3 11h12a2.5 2.5 0 1 1-2.5 2.500M3 14h6',
	star: 'M10 2.500l2 5.500l5.5 2l-5.5 2l-2 5.500l-2-5.500l-5.5-2l5.5-2z',
	coin: 'M10 3.500a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M10 6.500a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7',
	bag: 'M5 7h10l1 10H4zM7.5 7V5.500a2.5 2.5 0 0 1 5 0V7',
	mute: 'M3.5 8v4h2.600l3.9 3.400V4.600L6.1 8zM13 8l4 4M17 8l-4 4',
	next: 'M5 4.500l7 5.500l-7 5.500M15 4.500v11',
	key: 'M7 9.500a3.5 3.5 0 1 1 0 .1M10.500 9.500H17.500M14.500 9.500v3M17 9.500v2.500',
	heart: 'M10 16.5C2 11 3 4 7 4c1.6 0 2.5 1 3 2c.5-1 1.4-2 3-2c4 0 5 7-3 12.500z',
} as const;

export type IconName = keyof typeof SHAPES;

/** A drawn icon; `small` is 16 px. It says nothing to screen readers: its button has the words. */
export function Icon({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) {
	return (
		<svg class={small ? 'icon small' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
			<path d={SHAPES[name]} />
		</svg>
	);
}
