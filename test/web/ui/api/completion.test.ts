/**
 * Completion in the console, with the real schemas of the engine.
 * Owns: the cases of completion.ts, curl-line.ts, json-text.ts and route-list.ts.
 */

import { describe, expect, it } from 'vitest';
import { components } from '../../../../shared/components/index.ts';
import { schemaDocument } from '../../../../shared/contract/schema-document.ts';
import { SHAPES } from '../../../../shared/media/collider-shapes.ts';
import { routes as declared } from '../../../../shared/routes/index.ts';
import { caretTarget, completeBody, nearestPath, routeProposals } from '../../../../web/ui/api/completion.ts';
import { curlLine } from '../../../../web/ui/api/curl-line.ts';
import { jsonPieces, printJson } from '../../../../web/ui/api/json-text.ts';
import { readRoutes, routeFor } from '../../../../web/ui/api/route-list.ts';

const routes = readRoutes(JSON.parse(JSON.stringify(schemaDocument(declared, components))));
const spawn = routeFor(routes, 'POST', '/spawn')!;

/** Completes at the caret, which is the `|` in the text. */
function complete(marked: string) {
	const caret = marked.indexOf('|');
	const text = marked.replace('|', '');
	const found = completeBody(spawn.body!, text, caret);
	return {
		labels: found?.proposals.map(({ label }) => label) ?? [],
		take(label: string) {
			const { from, to } = found!;
			const { insert, caret: at } = found!.proposals.find((proposal) => proposal.label === label)!;
			const result = text.slice(0, from) + insert + text.slice(to);
			return `${result.slice(0, from + at)}|${result.slice(from + at)}`;
		},
	};
}

describe('routes', () => {
	it('finds the declared route of a typed path', () => {
		expect(routeFor(routes, 'GET', '/entities/3?world=plan')?.path).toBe('/entities/{id}');
		expect(routeFor(routes, 'GET', '/fork/list')?.path).toBe('/fork/list');
		expect(routeFor(routes, 'GET', '/spawn')).toBeUndefined();
	});
	it('proposes paths that start with the typed text first', () => {
		expect(routeProposals(routes, '/sp')[0]!.path).toBe('/spawn');
		expect(routeProposals(routes, '/xyzzy')).toEqual([]);
	});
	it('finds the nearest path', () => expect(nearestPath(routes, '/spwan')).toBe('/spawn'));
});

describe('completeBody', () => {
	it('proposes fields that start with the typed word first', () => {
		const { labels, take } = complete('{\n  "mesh": "cube",\n  "co|\n}');
		expect(labels.slice(0, 3)).toEqual(['collider', 'color', 'combat']);
		expect(take('color')).toBe('{\n  "mesh": "cube",\n  "color": "|"\n}');
		expect(take('combat')).toContain('"combat": true|');
	});
	it('omits existing fields', () =>
		expect(complete('{ "mesh": "cube", "me|" }').labels).not.toContain('mesh'));
	it('inserts three numbers for a vector', () =>
		expect(complete('{ "posi| }').take('position')).toBe('{ "position": [|0, 0, 0] }'));
	it('proposes the values of a field', () => {
		expect(complete('{ "physics_body": "D|" }').take('Dynamic')).toBe('{ "physics_body": "Dynamic"| }');
		expect(complete('{ "combat": t|').labels).toEqual(['true']);
	});
	it('completes within records', () => {
		expect(complete('{ "collider": { "sh| } }').labels).toEqual(['shape']);
		expect(complete('{ "collider": { "shape": "|" } }').labels).toEqual(SHAPES.map(({ name }) => name));
	});
	it('proposes nothing if nothing fits', () => {
		expect(complete('|').labels).toEqual([]);
		expect(complete('{ "zzz|" }').labels).toEqual([]);
		expect(complete('{ "mesh": "cu|be" }').labels).toEqual([]);
	});
	it('never throws on unfinished text', () => {
		const text = '{"a":[1,{"b":"x\\"y"},tr],"mesh":"cu';
		for (let at = 0; at <= text.length; at++) {
			caretTarget(text, at);
			completeBody(spawn.body!, text.slice(0, at), at);
		}
	});
});

it('writes curl lines for a shell', () => {
	expect(curlLine('http://h:1', 'GET', '/', '')).toBe('curl http://h:1/');
	expect(curlLine('http://h:1', 'GET', '@other/x', '')).toBe('curl http://h:1/@other/x');
	expect(curlLine('http://h:1', 'DELETE', '/fork/a', '')).toBe('curl -X DELETE http://h:1/fork/a');
	expect(curlLine('http://h:1', 'POST', '/step?world=a', '{ "ticks": 1 }')).toBe(
		`curl -X POST 'http://h:1/step?world=a' -H 'Content-Type: application/json' -d '{"ticks":1}'`,
	);
	expect(curlLine('http://h:1', 'POST', '/tag', '{"add":["it\'s"]}')).toContain(`it'\\''s`);
	for (const path of ['/a$(b)', '/a`b`', '/a;b', '/a*', '/a|b', '/a#b', '/a\\b', '/[1-9]'])
		expect(curlLine('http://h:1', 'GET', path, '')).toBe(`curl 'http://h:1${path}'`);
});

describe('JSON text', () => {
	it('has pieces that contain the whole text', () => {
		const text = '{\n "a b": [1, -2.5e3, "x:\\"y"], "c": tru, "open';
		const pieces = jsonPieces(text);
		expect(pieces.map((piece) => piece.text).join('')).toBe(text);
		expect(pieces.filter(({ kind }) => kind === 'key').map((piece) => piece.text)).toEqual(['"a b"', '"c"']);
	});
	it('prints short lists on one line and reads back', () => {
		const value = { id: 43, at: [1, 2, 3], deep: { list: [{ a: null }], none: [] } };
		expect(printJson(value)).toContain('"at": [1, 2, 3]');
		expect(JSON.parse(printJson(value))).toEqual(value);
	});
});
