import { calls } from '@mooring/contract/kit/call';
import { entity } from '@mooring/contract/kit/entity';
import { asked, field, joined, read, state } from '@mooring/contract/kit/field';
import { crud, moves } from '@mooring/contract/kit/resource-calls';
import { Moment, Name, ref } from '@mooring/contract/kit/schema';
import { machine } from '@mooring/contract/kit/state-machine';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { off } from './entity-column.tsx';
import { formOf } from './resource-form.ts';
import { listOf } from './resource-list.ts';

const boatMachine = machine('boat', {
  initial: 'moored',
  states: { moored: { tone: 'idle', about: 'In port.' }, sailing: { tone: 'busy', about: 'At sea.' } },
  events: { sail: { from: ['moored'], to: 'sailing' } },
});
const Boat = entity(
  'boat',
  {
    code: field(Name, { fixed: true, sort: true, code: true, help: true }),
    name: field(Name, { sort: true }),
    kind: field(z.enum(['yacht', 'ferry']), { filter: true }),
    trade: field(Name, { dict: 'trade' }),
    crew: field(z.int()),
    deptId: field(ref('dept'), { filter: true, text: 'other.dept' }),
    deptName: joined(z.string(), { text: 'other.dept' }),
    open: field(z.boolean(), { filter: true }),
    status: state(boatMachine, { filter: true }),
    createdAt: read(Moment, { sort: true }),
    launch: asked(z.boolean().default(false), { fixed: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name'] } },
);
const boatCalls = calls('boat', '/boat', {
  ...crud(Boat, { see: 'a:b:page', add: 'a:b:add', update: 'a:b:update', delete: 'a:b:delete' }),
  ...moves(Boat, { sail: 'a:b:sail' }),
});
const texts = { search: 'kit.search', empty: 'kit.list.empty', add: 'kit.save', edit: 'kit.save', delete: 'kit.save' } as never;

test('a list says of a field only what the row does not', () => {
  const list = listOf(Boat, boatCalls, {
    texts,
    code: 'boats',
    path: '/boat',
    columns: ['name', 'code', 'status', 'kind', off('trade'), 'crew', 'open', { key: 'deptName', width: 90 }, 'createdAt'],
    moves: { sail: { successText: 'done.saved' } },
  });
  expect(list.columns.map(({ key, title, kind, sort, off: hidden }) => [key, title, kind, sort ?? false, hidden ?? false])).toEqual([
    ['name', 'boat.name', 'text', true, false],
    ['code', 'boat.code', 'code', true, false],
    ['status', 'boat.status', 'state', false, false],
    ['kind', 'boat.kind', 'name', false, false],
    ['trade', 'boat.trade', 'text', false, true],
    ['crew', 'boat.crew', 'number', false, false],
    ['open', 'boat.open', 'yes', false, false],
    ['deptName', 'other.dept', 'text', false, false],
    ['createdAt', 'boat.createdAt', 'moment', true, false],
  ]);
  const [first, , status, kind, trade] = list.columns;
  expect([first?.pinned, status?.machine, kind?.names, trade?.cell]).toEqual(['left', boatMachine, 'boat.kind.', expect.any(Function)]);
  expect(list.columns.find(({ key }) => key === 'deptName')?.width).toBe(90);
  expect([list.title, list.search?.field, list.export, list.call]).toEqual(['boat.title', 'text', boatCalls.export, boatCalls.page]);
});

test('it offers every filter that its row has', () => {
  const { filters } = listOf(Boat, boatCalls, { texts, code: 'boats', columns: ['name'] });
  expect(filters).toEqual([
    { field: 'kind', label: 'boat.kind', names: 'boat.kind.' },
    { field: 'deptId', label: 'other.dept', useChoices: expect.any(Function) },
    { field: 'open', label: 'boat.open', kind: 'yes' },
    { field: 'status', label: 'boat.status', machine: boatMachine },
  ]);
});

test('its acts are its calls, and the row decides which it allows', () => {
  const list = listOf(Boat, boatCalls, {
    texts,
    code: 'boats',
    path: '/boat',
    columns: ['name'],
    moves: { sail: { successText: 'done.saved' } },
  });
  expect(list.rowActions?.map(({ key, allowedAction, call }) => [key, allowedAction, call])).toEqual([
    ['edit', 'update', undefined],
    ['sail', 'sail', boatCalls.sail],
    ['delete', 'delete', boatCalls.delete],
  ]);
  const row = (allowedActions: string[]) => ({ id: 7, allowedActions }) as never;
  expect([list.columns[0]?.link?.(row(['update'])), list.columns[0]?.link?.(row([]))]).toEqual(['/boat/7', undefined]);
  expect(list.actions).toMatchObject([{ key: 'add', call: boatCalls.add, to: '/boat/new' }]);
  const { add: _add, update: _update, delete: _delete, ...reading } = boatCalls;
  const bare = listOf(Boat, reading, { texts, code: 'boats', path: '/boat', columns: ['name'] });
  expect([bare.actions, bare.rowActions]).toEqual([undefined, []]);
});

test('a form takes what is written, keeps what is fixed, and asks once for what is no column', () => {
  const form = formOf(Boat, boatCalls, { texts, path: '/boat', fields: ['code', 'kind', 'trade', 'deptId', 'launch'] });
  const [code, kind, trade, dept, launch] = form.sections[0]?.fields ?? [];
  expect([code?.help, kind?.names, trade?.kind, dept?.useChoices]).toEqual(['boat.code.help', 'boat.kind.', 'one', expect.any(Function)]);
  expect([launch?.when?.({} as never), launch?.when?.({ id: 7 } as never)]).toEqual([true, false]);
  expect(form.edit?.fixed).toEqual(['code']);
  const row = { id: 7, code: 'A', name: 'Ann', kind: 'yacht', trade: 'x', crew: 2, deptId: 1, deptName: 'D', open: true, status: 'moored' };
  expect(form.edit?.values(row as never)).toEqual({ code: 'A', name: 'Ann', kind: 'yacht', trade: 'x', crew: 2, deptId: 1, open: true });
  expect([form.cancel, form.done(row as never)]).toEqual(['/boat', '/boat']);
});
