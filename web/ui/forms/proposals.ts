/**
 * Names that a field can take: entities, assets, named materials, clips.
 * Owns: where each kind of name is read. Never: keeps a list longer than a field has the focus.
 */

import { useState } from 'preact/hooks';
import { entityName } from '../entities/entity.ts';
import { askRaw, inWorld } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

export type ValueProposal = readonly [value: string, label: string];

type ProposalRow = Readonly<Record<string, unknown>>;

/** Maximum number of proposals of a field. */
const MOST = 300;

/** The route that lists them, the list in its answer, and what a row of it proposes. */
interface ProposalSource {
	readonly path: string;
	readonly list: string;
	readonly of: (row: ProposalRow) => readonly string[];
}

const assets = (media: RegExp): ProposalSource => ({
	path: '/asset/list',
	list: 'assets',
	of: ({ media_type, names }) =>
		media.test(String(media_type)) && Array.isArray(names) ? names.map(String) : [],
});

const SOURCES: Readonly<Record<string, ProposalSource>> = {
	sound: assets(/^audio\//),
	texture: assets(/^image\//),
	model: assets(/^model\//),
	material: { path: '/material/list', list: 'materials', of: ({ name }) => [String(name)] },
	clip: { path: '/animation/list', list: 'clips', of: ({ name }) => [String(name)] },
};

/** Returns the proposals for a kind of name, and what has them read; none for a kind that nothing lists. */
export function useProposals(kind: string | undefined): {
	readonly proposals: readonly ValueProposal[] | undefined;
	readonly read: () => void;
} {
	const { services, worlds, entities } = usePanels();
	const [found, setFound] = useState<readonly ValueProposal[]>([]);
	if (kind === 'entity')
		return {
			proposals: found,
			read: () =>
				setFound(
					entities.list.value
						.slice(0, MOST)
						.map((entity) => [String(entity.id), entityName(entity)] as const),
				),
		};
	const source = kind === undefined ? undefined : SOURCES[kind];
	if (source === undefined) return { proposals: undefined, read: () => {} };
	const read = async (): Promise<void> => {
		const path = inWorld(source.path, worlds.selected.value);
		const outcome = await askRaw(services, 'GET', path, undefined, 'panels');
		const rows = outcome.ok ? outcome.body[source.list] : [];
		if (Array.isArray(rows))
			setFound(
				(rows as readonly ProposalRow[])
					.flatMap(source.of)
					.slice(0, MOST)
					.map((name) => [name, ''] as const),
			);
	};
	return { proposals: found, read: () => void read() };
}
