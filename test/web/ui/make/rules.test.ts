/**
 * Rules as forms and sentences, and zones in the picture.
 * Owns: the forms of conditions and actions from the declarations of a real engine, sentences, odds, and dragged zones.
 */

import { expect, test } from 'vitest';
import { createDeclarations } from '../../../../web/ui/forms/declarations.ts';
import {
	type FormVariant,
	initialForm,
	type VariantControl,
	variantControl,
	variantOf,
} from '../../../../web/ui/forms/variants.ts';
import { oddsOf, ruleSentence } from '../../../../web/ui/make/rules/rule-words.ts';
import { changedDraft, draftOf } from '../../../../web/ui/make/rules/rules-state.ts';
import { ruleWithZone, zoneRequests, zonesOf } from '../../../../web/ui/make/zones.ts';
import { startEngine } from '../../../support/engine.ts';

function variantsOf(control: VariantControl): readonly FormVariant[] {
	if (control.kind !== 'variants') throw new Error(`It has the kind ${control.kind}.`);
	return control.variants;
}

test('conditions and actions have forms, and the engine accepts their initial values', async () => {
	const { must, call } = await startEngine();
	const declarations = createDeclarations({
		async call(method, path, body) {
			const { status, body: answer } = await call(method, path, body);
			return { status, body: answer, ms: 0 };
		},
	});
	const conditions = variantsOf(variantControl(await declarations.definition('Condition')));
	const actions = variantsOf(variantControl(await declarations.definition('Action')));
	const variantNamed = (list: readonly FormVariant[], label: string) =>
		list.find((variant) => variant.label === label)!;
	const enter = variantNamed(conditions, 'enter');
	const [zone] = enter.fields;
	const ball = variantNamed(variantsOf(zone!.of), 'center and radius');
	expect(variantsOf(zone!.of).map(({ label }) => label)).toEqual([
		'center and half',
		'center and radius',
		'entity and radius',
	]);
	expect(variantOf(conditions, { kind: 'enter', zone: {} })).toBe(enter);
	expect(variantOf(variantsOf(zone!.of), { center: [0, 0, 0], radius: 2 })).toBe(ball);
	const damage = variantNamed(actions, 'damage');
	const [target] = damage.fields.filter(({ key }) => key === 'target');
	expect(variantOf(variantsOf(target!.of), 'this')?.word).toBe('this');
	expect(variantOf(variantsOf(target!.of), { entity: 3 })?.fields[0]).toMatchObject({ key: 'entity' });
	// Another form keeps the fields with equal names.
	expect(
		initialForm(variantNamed(actions, 'heal'), { action: 'damage', target: { entity: 3 }, amount: 4 }),
	).toEqual({
		action: 'heal',
		target: { entity: 3 },
		amount: 4,
	});
	// A condition within a condition has the same forms.
	expect(variantNamed(conditions, 'not').fields[0]!.of).toEqual({ kind: 'again', of: 'Condition' });
	const { rule_id } = await must('POST', '/rule/create', {
		when: initialForm(enter),
		do: [initialForm(damage), initialForm(variantNamed(actions, 'cleanse'))],
	});
	expect((await call('GET', `/rule/${rule_id}`)).body.rule.do).toHaveLength(2);
});

test('a rule is a sentence with exact odds, and dragging changes its zone or that of a trigger', async () => {
	const { must, call } = await startEngine();
	const read = async (path: string) => (await call('GET', path)).body;
	await must('POST', '/spawn', { name: 'Crate', position: [1, 0, 0], health: 10 });
	await must('POST', '/trigger/create', { position: [5, 1, 0], zone: [1, 1, 2], action: 'heal:5' });
	await must('POST', '/rule/create', {
		when: 'enter:0,0,0:3 & field:health<50',
		filter: 'team:2',
		outcomes: [
			{ label: 'snap', weight: '1/4', do: ['damage entity:0 10'] },
			{ label: 'miss', weight: 0.75 },
		],
	});
	const { rules } = await read('/rule/list');
	const { entities } = (await call('POST', '/observe')).body;
	expect(ruleSentence(draftOf(rules[0]), (id) => `entity ${id}`)).toBe(
		'When it enters 3 m around 0, 0, 0 and health < 50, for team:2: 1 in 4 (snap): damage entity 0, amount 10; otherwise nothing.',
	);
	expect(oddsOf(draftOf(rules[0]).outcomes!).map((odds) => odds?.exact)).toEqual([
		{ num: '1', den: '4' },
		{ num: '3', den: '4' },
	]);
	expect(oddsOf([{ weight: 'many' }, { weight: 0 }])).toEqual([null, null]);

	const [trigger, ball] = zonesOf(entities, rules, new Set([1]));
	expect([trigger, ball]).toMatchObject([
		{ position: [5, 1, 0], half: [1, 1, 2], isSelected: true, carrier: 1 },
		{ position: [0, 0, 0], half: null, radius: 3, isSelected: false, isFree: true },
	]);
	const changed = ruleWithZone(rules, { ...ball!, radius: 4, position: [1, 0, 0] })!;
	await must('PATCH', `/rule/${changed.id}`, changed.change);
	expect((await read('/rule/2')).rule.when).toMatchObject({
		of: [{ kind: 'enter', zone: { center: [1, 0, 0], radius: 4 } }, { kind: 'field' }],
	});
	const requests = zoneRequests({ ...trigger!, half: [3, 1, 2], position: [7, 1, 0] }, entities);
	await must('POST', '/batch', { requests, atomic: true });
	expect((await read('/trigger/list')).triggers[0]).toMatchObject({
		position: [7, 1, 0],
		zone: [3, 1, 2],
		action: 'heal:5',
	});
	// A change keeps omitted fields, and another action has other fields.
	await must('PATCH', '/trigger/1', { action: 'teleport', target: [0, 9, 0], once: true });
	expect((await read('/trigger/list')).triggers[0]).toMatchObject({
		zone: [3, 1, 2],
		kind: 'teleport',
		target: [0, 9, 0],
		once: true,
	});
});

test('a draft can replace actions by outcomes and outcomes by actions, and the engine accepts both', async () => {
	const { must } = await startEngine();
	const actions = [{ action: 'emit', name: 'snap' }];
	const begun = { when: 'tick:1', filter: 'any', do: actions, priority: 0, once: false, enabled: true };
	const byChance = changedDraft(begun, { outcomes: [{ label: 'yes', weight: 1, do: actions }] });
	await must('POST', '/rule/create', byChance);
	await must('POST', '/rule/create', changedDraft(byChance, { do: actions, once: true }));
	const { rules } = await must('GET', '/rule/list');
	expect(rules).toMatchObject([{ outcomes: [{ label: 'yes' }] }, { do: actions, once: true }]);
});
