/**
 * Small marks of senders, teams and running worlds. Owns: their shapes, which differ as much as their colours.
 */

import type { SenderMark } from '../calls/calls-state.ts';

const SHAPES: Readonly<Record<SenderMark, string>> = {
	triangle: 'M5 1l4.5 8h-9z',
	disc: 'M5 .8a4.200 4.200 0 1 1 0 8.400a4.200 4.200 0 0 1 0-8.400z',
	rhomb: 'M5 0l5 5l-5 5l-5-5z',
	square: 'M1 1h8v8h-8z',
	cross: 'M3.500 0h3v3.500h3.500v3h-3.500v3.500h-3v-3.500h-3.500v-3h3.500z',
	ring: 'M5 .8a4.200 4.200 0 1 1 0 8.400a4.200 4.200 0 0 1 0-8.400zM5 2.800a2.200 2.200 0 1 0 0 4.400a2.200 2.200 0 0 0 0-4.400z',
};

/** Mark of a sender, 10 px. */
export function Mark({ mark }: { readonly mark: SenderMark }) {
	return (
		<svg class={`mark ${mark}`} viewBox="0 0 10 10" aria-hidden="true">
			<path d={SHAPES[mark]} />
		</svg>
	);
}

/** Returns the CSS class of a team's colour. */
export function teamClass(team: number | null | undefined): string {
	if (team === 1) return 'team1';
	return team === 2 ? 'team2' : 'teamless';
}

/** Mark of a team: a disc for Lapis, a rhomb for Vermilion, a square for others. */
export function TeamMark({ team }: { readonly team: number }) {
	const shape = team === 1 ? 'disc' : team === 2 ? 'rhomb' : 'square';
	return (
		<svg class={`mark ${teamClass(team)}`} viewBox="0 0 10 10" aria-hidden="true">
			<path d={SHAPES[shape]} />
		</svg>
	);
}

export type LampState = 'on' | 'hollow' | 'waiting' | 'lost';

/**
 * A lamp, 8 px: full verdigris, hollow, hollow ochre, or a madder square. A live lamp flashes once when it is created.
 */
export function Lamp({ state, live = false }: { readonly state: LampState; readonly live?: boolean }) {
	return <i class={`lamp ${state}${live ? ' live' : ''}`} />;
}
