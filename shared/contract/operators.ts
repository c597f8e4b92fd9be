/** Comparisons of two numbers. Owns: their words and signs. */

import * as z from 'zod';
import { word } from './values.ts';

export const OPERATORS = ['greater', 'greater_equal', 'less', 'less_equal', 'equal', 'not_equal'] as const;
export type Operator = (typeof OPERATORS)[number];

const WORDS: Readonly<Record<string, Operator>> = {
	'>': 'greater',
	gt: 'greater',
	'>=': 'greater_equal',
	gte: 'greater_equal',
	'<': 'less',
	lt: 'less',
	'<=': 'less_equal',
	lte: 'less_equal',
	'==': 'equal',
	eq: 'equal',
	'!=': 'not_equal',
	ne: 'not_equal',
};

export const operator = z
	.preprocess(
		(value) => (typeof value === 'string' ? (WORDS[value.toLowerCase()] ?? value) : value),
		word(OPERATORS, 'Comparison'),
	)
	.describe('Comparison; also > >= < <= == !=');

/** Signs of operators in conditions. */
export const SIGNS: Readonly<Record<Operator, string>> = {
	greater: '>',
	greater_equal: '>=',
	less: '<',
	less_equal: '<=',
	equal: '==',
	not_equal: '!=',
};

/** Signs of operators for display. */
export const SHOWN_SIGNS: Readonly<Record<Operator, string>> = {
	greater: '>',
	greater_equal: '≥',
	less: '<',
	less_equal: '≤',
	equal: '=',
	not_equal: '≠',
};

/** Pattern of a comparison `NAME<VALUE`, with an optional word after it. */
export const COMPARISON = /^([\w.]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)(?:\s+(\w+))?$/;

/** Returns a note about the sign for equality, if the text has a single equals sign. */
export const equalsHint = (text: string): string =>
	/[^=!<>]=[^=]/.test(text) ? '; equality is written ==' : '';
