import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { calls, type InputOf, type OutputOf } from './call.ts';
import { entity } from './entity.ts';
import { asked, field, joined, read, state, stored } from './field.ts';
import { type FieldTexts, namesOf, textOf } from './field-texts.ts';
import { crud, moves, picker } from './resource-calls.ts';
import { Id, Moment, Name, ref } from './schema.ts';
import { machine } from './state-machine.ts';
import { texts } from './texts.ts';

const boatMachine = machine('boat', {
  initial: 'moored',
  states: { moored: { code: '0', tone: 'idle', about: 'In port.' }, sailing: { code: '1', tone: 'busy', about: 'At sea.' } },
  events: { sail: { from: ['moored'], to: 'sailing' } },
});
const Boat = entity(
  'boat',
  {
    code: field(z.string().regex(/^[A-Z]+$/), { fixed: true, unique: 'BOAT_CODE_TAKEN', sort: true }),
    name: field(Name, { sort: true, help: true }),
    kind: field(z.enum(['yacht', 'ferry']), { filter: true }),
    flags: field(z.array(z.enum(['fast'])).default([]), { names: 'other.' }),
    deptId: field(ref('dept'), { filter: true, text: 'other.dept' }),
    deptName: joined(z.string(), { text: 'other.dept' }),
    open: field(z.boolean().default(true), { filter: true }),
    status: state(boatMachine),
    createdAt: read(Moment, { sort: true, filter: true }),
    launch: asked(z.boolean().default(false), { fixed: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'code'] } },
);
const boatCalls = calls('boat', '/boat', {
  ...crud(Boat, { see: 'a:b:page', add: 'a:b:add', update: 'a:b:update' }, { faults: { update: ['BOAT_AWAY'] } }),
  ...moves(Boat, { sail: 'a:b:sail' }),
  list: picker(Boat, ['name']),
});

test('calls are made of the row, each with its path, permission and faults; an act without a permission is none', () => {
  const found = Object.values(boatCalls).map((call) => [call.name, call.path, call.can, call.reads, call.faults]);
  expect(found).toEqual([
    ['page', '/boat/page', 'a:b:page', true, []],
    ['detail', '/boat/detail', 'a:b:page', true, []],
    ['export', '/boat/export', 'a:b:page', false, ['EXPORT_COLUMN']],
    ['add', '/boat/add', 'a:b:add', false, ['BOAT_CODE_TAKEN']],
    ['update', '/boat/update', 'a:b:update', false, ['BOAT_AWAY']],
    ['sail', '/boat/sail', 'a:b:sail', false, []],
    ['list', '/boat/list', 'session', true, []],
  ]);
});

test('a new row takes what people write, a change what is not fixed, and neither anything else', () => {
  const boat = { code: 'A', name: ' Ann ', kind: 'yacht', deptId: 1 };
  expect(Boat.add.parse(boat)).toEqual({ ...boat, name: 'Ann', kind: 'yacht', flags: [], open: true, launch: false });
  expect(Boat.add.safeParse({ ...boat, status: '1' }).success).toBe(false);
  expect(Boat.change.safeParse({ id: 1, ...boat }).success).toBe(false);
  const { code: _fixed, ...change } = boat;
  expect(Boat.change.parse({ id: 1, revision: 2, ...change })).toMatchObject({ id: 1, revision: 2, name: 'Ann' });
  expectTypeOf<keyof InputOf<typeof boatCalls.update>>().toEqualTypeOf<'id' | 'revision' | 'name' | 'kind' | 'flags' | 'deptId' | 'open'>();
});

test('a row answers what stands there, also where today’s rules would refuse it', () => {
  const row = { id: 1, code: 'old code', name: '', kind: 'ferry', flags: [], deptId: 1, deptName: 'D', open: true, status: '0' };
  const more = { createdAt: '2026-01-01T00:00:00.000Z', revision: 1, allowedActions: [], offers: [] };
  expect(Boat.row.parse({ ...row, ...more })).toEqual({ ...row, ...more });
  expect(Object.keys(Boat.row.shape)).not.toContain('launch');
  expect(stored(z.string().max(2).nullable().default(null)).parse(null)).toBeNull();
  expectTypeOf<OutputOf<typeof boatCalls.detail>['kind']>().toEqualTypeOf<'yacht' | 'ferry'>();
  expectTypeOf<OutputOf<typeof boatCalls.list>[number]>().toEqualTypeOf<{ id: number; name: string }>();
});

test('criteria follow from the fields that filter, and the order from those that sort', () => {
  const read = (criteria: object, page: object = {}) => Boat.query.safeParse({ criteria, page });
  const since = { greaterThanOrEqual: '2026-01-01T00:00:00.000Z' };
  expect(read({ text: 'ann', kind: { in: ['yacht'] }, open: false, deptId: 3, createdAt: since }).success).toBe(true);
  for (const wrong of [{ kind: 'raft' }, { name: 'Ann' }, { open: 'yes' }]) expect(read(wrong).success).toBe(false);
  expect(read({}).data?.page).toMatchObject({ sort: 'createdAt', order: 'desc' });
  expect(read({}, { sort: 'name' }).success).toBe(true);
  expect(read({}, { sort: 'kind' }).success).toBe(false);
});

test('a row that nobody edits has no revision', () => {
  const Log = entity('log', { at: read(Moment, { sort: true }), by: field(Name, { fixed: true }) }, { rowClass: 'owned', order: 'at' });
  expect(Object.keys(Log.row.shape)).toEqual(['id', 'at', 'by', 'allowedActions', 'offers']);
  expectTypeOf(Log.row.shape).not.toHaveProperty('revision');
  expect(Log.row.shape.id).toBe(Id);
});

const boatTexts = {
  'boat.code': ['Code', '编码'],
  'boat.name': ['Name', '名称'],
  'boat.name.help': ['As painted on it.', '船身名称'],
  'boat.kind': ['Kind', '类型'],
  'boat.kind.yacht': ['Yacht', '游艇'],
  'boat.kind.ferry': ['Ferry', '渡轮'],
  'boat.flags': ['Flags', '标记'],
  'boat.open': ['Open', '开放'],
  'boat.status': ['State', '状态'],
  'boat.createdAt': ['Added', '添加时间'],
  'boat.launch': ['Launch', '下水'],
} as const;

test('a text that is missing does not compile', () => {
  const whole = texts(boatTexts) satisfies FieldTexts<typeof Boat>;
  const { 'boat.kind.ferry': _word, ...lacking } = boatTexts;
  // @ts-expect-error the word of a value is missing
  texts(lacking) satisfies FieldTexts<typeof Boat>;
  const { 'boat.name.help': _help, ...unhelpful } = boatTexts;
  // @ts-expect-error the help of a field is missing
  texts(unhelpful) satisfies FieldTexts<typeof Boat>;
  expect([textOf(Boat, 'name'), textOf(Boat, 'deptName')]).toEqual(['boat.name', 'other.dept']);
  expect([namesOf(Boat, 'kind'), namesOf(Boat, 'flags'), namesOf(Boat, 'name'), namesOf(Boat, 'status')]).toEqual([
    'boat.kind.',
    'other.',
    undefined,
    undefined,
  ]);
  expect(Object.keys(whole)).toHaveLength(11);
});
