/**
 * Proposals for fields that take a name: entities, assets, materials, clips.
 * Owns: the source of each kind of name. The names are read each time the field gets the focus.
 */

import { useState } from 'preact/hooks';
import { entityName } from '../entities/entity.ts';
import { askRaw, inWorld } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

export type ValueProposal = readonly [value: string, label: string];

type ProposalRow = Readonly<Record<string, unknown>>;

/** Maximum number of proposals of a field. */
const MAX_PROPOSALS = 300;

/** Source of names: the route that lists them, the key of the list in its answer, and the names in a row. */
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

/** Returns the proposals for a kind of name, and the function that reads them. They are undefined for an unknown kind. */
export function useProposals(kind: string | undefined): {
	readonly proposals: readonly ValueProposal[] | undefined;
	readonly read: () => void;
} {
	const { services, worlds, entities } = usePanels();
	const [proposals, setProposals] = useState<readonly ValueProposal[]>([]);
	if (kind === 'entity')
		return {
			proposals,
			read: () =>
				setProposals(
					entities.list.value
						.slice(0, MAX_PROPOSALS)
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
			setProposals(
				(rows as readonly ProposalRow[])
					.flatMap(source.of)
					.slice(0, MAX_PROPOSALS)
					.map((name) => [name, ''] as const),
			);
	};
	return { proposals, read: () => void read() };
}
