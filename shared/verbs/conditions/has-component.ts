/** The condition `has_component`: an entity has a component. */

import { Refusal } from '../../contract/errors.ts';
import { suggestion } from '../../contract/nearest.ts';
import { text } from '../../contract/values.ts';
import { COMPONENT_NAMES, componentNamed } from '../component-name.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const hasComponent = typeCondition({
	name: 'has_component',
	fields: () => ({ component: text('Name of the component').meta({ format: 'component' }) }),
	doc: 'Holds for entities with this component. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: {
		words: ['component'],
		form: 'component:NAME',
		values: COMPONENT_NAMES,
		read: (value) =>
			value === undefined || componentNamed(value) === undefined ? null : { component: value },
	},
	write: ({ component }) => `component:${component}`,
	sayGroup: ({ component }) => `with ${component}`,
	say: ({ component }) => `it has ${component}`,
	check: ({ component }) => {
		if (componentNamed(component) !== undefined) return;
		const fix = suggestion(component, COMPONENT_NAMES);
		throw new Refusal(`there is no component "${component}"`, fix, 'component');
	},
	reads: ({ component }) => [`${componentNamed(component)?.name}`],
});
