/**
 * An example of each kind of thing that "How to add a thing" of shared/README.md describes. All examples are about frost.
 * Owns: the source of each new file, and the entries for the lists. They are texts, because they compile only in a copy of
 * the source whose lists have the entries.
 */

export interface ListEntry {
	readonly file: string;
	/** First line of the list. */
	readonly begins: string;
	readonly entry: string;
	/** Import of the entry: the names, and the file. */
	readonly imports: readonly [what: string, from: string];
}

export interface Addition {
	/** Name of the kind in the table of shared/README.md. */
	readonly thing: string;
	/** Source of each new file, by path. */
	readonly files: Readonly<Record<string, string>>;
	readonly lists: readonly ListEntry[];
}

export const additions: readonly Addition[] = [
	{
		thing: 'a stored component',
		files: {
			'shared/components/frost.ts': `/** Coldness of an entity. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';

export const Frost = component({
	name: 'frost',
	title: 'Frost',
	scope: 'state',
	summary: 'How cold an entity is',
	fields: { degrees: scalar('i32', 'Degrees below zero') },
	readout: { schema: z.int(), from: (row) => row.degrees },
});
`,
		},
		lists: [
			{
				file: 'shared/components/index.ts',
				begins: 'const list = [',
				entry: 'Frost',
				imports: ['{ Frost }', './frost.ts'],
			},
		],
	},
	{
		thing: 'a spawnable component',
		files: {
			'shared/components/fur.ts': `/** Coat that keeps an entity warm. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';

export const Fur = component({
	name: 'fur',
	title: 'Fur',
	scope: 'state',
	summary: 'Coat that keeps an entity warm',
	fields: { depth: scalar('i32', 'Depth (cm)') },
	readout: { schema: z.int(), from: (row) => row.depth },
	spawn: singleValueSpawn('fur', 'depth', optional(integer('Depth of its fur', { unit: 'cm', min: 0, max: 100 }))),
});
`,
		},
		lists: [
			{
				file: 'shared/components/index.ts',
				begins: 'const list = [',
				entry: 'Fur',
				imports: ['{ Fur }', './fur.ts'],
			},
		],
	},
	{
		thing: 'a demand on entities',
		files: {
			'web/sim/aspects/warm.ts': `/** Frost and thick fur exclude each other. */

import { Frost } from '../../../shared/components/frost.ts';
import { Fur } from '../../../shared/components/fur.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { get, has } from '../core/world.ts';
import type { Aspect } from './aspect.ts';

const THICK = 50;

function refuse(depth: number): void {
	if (depth > THICK) throw new ApiError('invalid_body', 'An entity with frost has thin fur.');
}

export const warm: Aspect = {
	components: [Frost, Fur],
	require(world, { document: { fur }, id }) {
		if (id !== null && has(world, id, Frost)) refuse(fur ?? 0);
	},
	requireExisting(world, ids) {
		for (const id of ids) if (has(world, id, Frost)) refuse(get(world, id, Fur)?.depth ?? 0);
	},
};
`,
		},
		lists: [
			{
				file: 'web/sim/aspects/index.ts',
				begins: 'export const aspects: readonly Aspect[] = [',
				entry: 'warm',
				imports: ['{ warm }', './warm.ts'],
			},
		],
	},
	{
		thing: 'a drawn component',
		files: {
			'web/frames/drawn/frost.ts': `/** One number a row: how cold it is. */

import { Frost } from '../../../shared/components/frost.ts';
import { has, read, versionOf } from '../../sim/core/world.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

export const frost: DrawnBlock<Int32Array> = {
	version: (world) => Math.max(rowsVersion(world), versionOf(world, Frost, 'degrees')),
	read(world, slots) {
		const degrees = read(world, Frost, 'degrees');
		return Int32Array.from(slots, (slot) => (has(world, slot, Frost) ? degrees[slot]! : 0));
	},
};
`,
			'web/render/sync/frost.ts': `/** A white veil that is thicker the colder it is. */

import { Group } from 'three/webgpu';
import type { BlockName, FrameBlocks } from '../../frames/frames.ts';
import type { Sync } from './sync.ts';

export class FrostVeil implements Sync {
	readonly object = new Group();

	setFrame({ frost }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('frost')) this.object.visible = frost.some((degrees) => degrees > 0);
	}

	dispose(): void {
		this.object.clear();
	}
}
`,
		},
		lists: [
			{
				file: 'web/frames/drawn/index.ts',
				begins: 'export const drawn = {',
				entry: 'frost',
				imports: ['{ frost }', './frost.ts'],
			},
			{
				file: 'web/render/sync/index.ts',
				begins: 'export const syncs: readonly MakeSync[] = [',
				entry: '() => new FrostVeil()',
				imports: ['{ FrostVeil }', './frost.ts'],
			},
		],
	},
	{
		thing: 'a condition',
		files: {
			'shared/verbs/conditions/frozen.ts': `/** The condition \`frozen\`: an entity is cold. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { condition, ABOUT_SUBJECT } from './condition.ts';

export const frozen = condition({
	name: 'frozen',
	fields: () => ({ degrees: integer('Frost that is needed', { min: 0 }) }),
	doc: 'For entities that are at least this cold',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: { form: 'frozen:DEGREES', read: (value) => ({ degrees: readWhole(value, 'the degrees of frozen') }) },
	write: ({ degrees }) => \`frozen:\${degrees}\`,
	say: ({ degrees }, { number: say }) => \`frost at least \${say(degrees)}\`,
	reads: ['frost'],
});
`,
			'web/sim/rules/conditions/frozen.ts': `/** The condition \`frozen\`. */

import { Frost } from '../../../../shared/components/frost.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const frozen: Predicate<ConditionOf<'frozen'>> = {
	test:
		({ degrees }) =>
		(subject) =>
			(subject.value(Frost, 'degrees') ?? -1) >= degrees,
	guaranteedComponents: () => [Frost],
};
`,
		},
		lists: [
			{
				file: 'shared/verbs/conditions/index.ts',
				begins: 'const LIST = [',
				entry: 'frozen',
				imports: ['{ frozen }', './frozen.ts'],
			},
			{
				file: 'web/sim/rules/conditions/index.ts',
				begins: 'export const BEHAVIOURS: { readonly [N in ConditionName]: ConditionBehaviour<N> } = {',
				entry: 'frozen',
				imports: ['{ frozen }', './frozen.ts'],
			},
		],
	},
	{
		thing: 'an action',
		files: {
			'shared/verbs/actions/chill.ts': `/** The action \`chill\`: makes an entity colder. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { action, readTargetField, target } from './action.ts';

export const chill = action({
	kind: 'chill',
	when: 'at once',
	fields: { target, degrees: integer('Degrees', { min: 0, max: 1000 }) },
	form: 'TARGET DEGREES',
	maxWords: 2,
	read: ([targetText, degrees]) => ({ ...readTargetField(targetText), degrees: readWhole(degrees, 'the degrees') }),
	access: { reads: ['frost', 'fur'], writes: ['frost'], emits: ['chilled'] },
});
`,
			'web/sim/rules/actions/chill.ts': `/** The action \`chill\`. */

import { Frost } from '../../../../shared/components/frost.ts';
import { Fur } from '../../../../shared/components/fur.ts';
import { Chilled } from '../../../../shared/events/chilled.ts';
import { emit } from '../../core/events.ts';
import { add, get } from '../../core/world.ts';
import type { ActionBehaviour } from './action.ts';

export const chill: ActionBehaviour<'chill'> = {
	act: (world, { degrees }, entity) => {
		const before = get(world, entity.id, Frost)?.degrees ?? 0;
		const felt = Math.max(0, degrees - (get(world, entity.id, Fur)?.depth ?? 0));
		add(world, entity.id, Frost, { degrees: before + felt });
		emit(world, Chilled, { entity, degrees: felt });
	},
};
`,
		},
		lists: [
			{
				file: 'shared/verbs/actions/index.ts',
				begins: 'const LIST = [',
				entry: 'chill',
				imports: ['{ chill }', './chill.ts'],
			},
			{
				file: 'web/sim/rules/actions/index.ts',
				begins: 'export const BEHAVIOURS: { readonly [K in ActionName]: ActionBehaviour<K> } = {',
				entry: 'chill',
				imports: ['{ chill }', './chill.ts'],
			},
		],
	},
	{
		thing: 'a kind of target',
		files: {
			'shared/verbs/targets/frosty.ts': `/** The target \`frosty\`: all entities that are cold. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const frosty = targetRecord({
	kind: 'frosty',
	value: integer('All entities that are at least this cold', { min: 0 }),
	form: 'DEGREES',
	read: (text) => readWhole(text, 'the degrees of a target'),
	cardinality: 'many',
	access: { reads: ['entities', 'frost'] },
});
`,
			'web/sim/rules/targets/frosty.ts': `/** The target \`frosty\`. */

import { matchingEntities } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const frosty: TargetBehaviour<'frosty'> = (world, degrees) => matchingEntities(world, { kind: 'frozen', degrees });
`,
		},
		lists: [
			{
				file: 'shared/verbs/targets/index.ts',
				begins: 'const RECORDS = [',
				entry: 'frosty',
				imports: ['{ frosty }', './frosty.ts'],
			},
			{
				file: 'web/sim/rules/targets/index.ts',
				begins: 'export const BEHAVIOURS: { readonly [K in TargetName]: TargetBehaviour<K> } = {',
				entry: 'frosty',
				imports: ['{ frosty }', './frosty.ts'],
			},
		],
	},
	{
		thing: 'an event',
		files: {
			'shared/events/chilled.ts': `/** An entity was made colder. */

import { entityField, event } from '../contract/event.ts';
import { integer } from '../contract/values.ts';

export const Chilled = event({
	kind: 'chilled',
	summary: 'An entity was made colder',
	subject: 'entity',
	fields: { entity: entityField('Entity that became colder'), degrees: integer('Added degrees', { min: 0 }) },
});
`,
		},
		lists: [
			{
				file: 'shared/events/index.ts',
				begins: 'export const events = [',
				entry: 'Chilled',
				imports: ['{ Chilled }', './chilled.ts'],
			},
		],
	},
	{
		thing: 'a route',
		files: {
			'shared/routes/frost.ts': `/** Routes about cold. */

import * as z from 'zod';
import { route } from '../contract/route.ts';

export const listFrost = route({
	id: 'frost.list',
	tag: 'World',
	method: 'GET',
	path: '/frost',
	cli: ['frost', 'list'],
	summary: 'Lists the cold entities',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), entities: z.array(z.int()).describe('Ids, ascending') }),
	errors: [],
	examples: [{ name: 'List the cold entities' }],
});
`,
			'web/api/frost.ts': `/** Handlers about cold. */

import { Frost } from '../../shared/components/frost.ts';
import * as routes from '../../shared/routes/frost.ts';
import { each } from '../sim/core/world.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.listFrost, ({ world }) => {
		const entities: number[] = [];
		each(world, [Frost], (slot) => entities.push(slot));
		return { entities };
	}),
];
`,
		},
		lists: [
			{
				file: 'shared/routes/index.ts',
				begins: 'const firstPart = [',
				entry: 'frost.listFrost',
				imports: ['* as frost', './frost.ts'],
			},
			{
				file: 'web/api/index.ts',
				begins: 'export const handlers: readonly Handler[] = [',
				entry: '...frost',
				imports: ['{ handlers as frost }', './frost.ts'],
			},
		],
	},
	{
		thing: 'a system',
		files: {
			'web/sim/frost/melt.system.ts': `/** Lets frost melt: a degree a tick. */

import { Frost } from '../../../shared/components/frost.ts';
import type { System } from '../core/system.ts';
import { each, type World, write } from '../core/world.ts';

export const melt: System = { name: 'melt', needs: [Frost], access: { writes: ['frost.degrees'] }, run };

function run(world: World): void {
	const degrees = write(world, Frost, 'degrees');
	each(world, [Frost], (slot) => {
		degrees[slot] = Math.max(0, degrees[slot]! - 1);
	});
}
`,
		},
		lists: [
			{
				file: 'web/sim/schedule.ts',
				begins: 'export const schedule: readonly System[] = [',
				entry: 'melt',
				imports: ['{ melt }', './frost/melt.system.ts'],
			},
		],
	},
	{
		thing: 'a view of the page',
		files: {
			'web/ui/frost/frost-view.tsx': `/** The view of cold entities. */

import type { PageView } from '../chrome/views.ts';

export const frost: PageView = { label: 'Frost', icon: 'star', undoes: true, Component: FrostView };

function FrostView() {
	return <main class="view" aria-label="Frost" />;
}
`,
		},
		lists: [
			{
				file: 'web/ui/chrome/views.ts',
				begins: 'export const VIEWS = {',
				entry: 'frost',
				imports: ['{ frost }', '../frost/frost-view.tsx'],
			},
		],
	},
];
