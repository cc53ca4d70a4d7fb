import { call } from '@mooring/contract/kit/call';
import { filter, pageQuery } from '@mooring/contract/kit/page';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { exactOf, queryIn, readCriteria, valuesOf, withQuery, writeCriteria } from './list-url.ts';

const input = pageQuery(
  {
    text: filter.text(),
    status: filter.exact(z.enum(['1', '2', '3'])),
    productId: filter.exact(z.int()),
    createdAt: filter.moment(),
    dueOn: filter.days(),
    deleted: z.boolean(),
  },
  ['-createdAt'],
);
const list = { input: call({ can: 'session', input }).input as z.ZodType };
const zone = 'Asia/Shanghai';

it.each([
  ['text=abc', { text: 'abc' }],
  ['status=2', { status: '2' }],
  ['status=2,3', { status: { in: ['2', '3'] } }],
  ['productId=7', { productId: 7 }],
  ['productId=7,8', { productId: { in: [7, 8] } }],
  ['deleted=true', { deleted: true }],
  [
    'createdAt=2026-01-02..2026-01-03',
    { createdAt: { greaterThanOrEqual: '2026-01-01T16:00:00.000Z', lessThanOrEqual: '2026-01-03T15:59:59.999Z' } },
  ],
  ['dueOn=2026-01-02..2026-01-03', { dueOn: { greaterThanOrEqual: '2026-01-02', lessThanOrEqual: '2026-01-03' } }],
  ['dueOn=..2026-01-03', { dueOn: { lessThanOrEqual: '2026-01-03' } }],
  ['createdAt=2026-01-02..', { createdAt: { greaterThanOrEqual: '2026-01-01T16:00:00.000Z' } }],
])('%s and back', (address, criteria) => {
  expect(readCriteria(list, new URLSearchParams(address), zone)).toEqual(criteria);
  expect(decodeURIComponent(writeCriteria(new URLSearchParams(), criteria, zone).toString())).toBe(address);
});

it.each(['status=9', 'status=2,9', 'productId=x', 'createdAt=yesterday', 'nonsense=1', 'text='])('leaves out %s', (address) => {
  expect(readCriteria(list, new URLSearchParams(address), zone)).toEqual({});
});

it('begins at the first page when criteria change, and keeps what is others’', () => {
  const next = writeCriteria(new URLSearchParams('page=4&row=3&sort=name&status=1&tab=x'), { status: undefined, text: 'a' }, zone);
  expect(next.toString()).toBe('sort=name&tab=x&text=a');
  expect(writeCriteria(new URLSearchParams('page=4'), { text: 'a' }, zone, 'c.').toString()).toBe('page=4&c.text=a');
});

it('one value or several', () => {
  expect([exactOf([]), exactOf(['1']), exactOf([1, 2])]).toEqual([undefined, '1', { in: [1, 2] }]);
  expect([valuesOf(undefined), valuesOf(3), valuesOf({ in: [1, 2] })]).toEqual([[], [3], [1, 2]]);
});

it('a view keeps filters and order, and comes back with them and without what the list takes no more', () => {
  const kept = queryIn(list, new URLSearchParams('a.page=3&a.sort=-createdAt&a.text=x&other=1&a.status=2,3'), 'a.');
  expect(decodeURIComponent(kept)).toBe('text=x&status=2,3&sort=-createdAt');
  const there = new URLSearchParams('a.text=y&a.page=2&a.deleted=true&other=1');
  const { search, lost } = withQuery(list, there, `${kept}&gone=7&productId=x`, zone, 'a.');
  expect(decodeURIComponent(search.toString())).toBe('other=1&a.text=x&a.status=2,3&a.sort=-createdAt');
  expect(lost).toEqual(['gone', 'productId']);
  expect(withQuery(list, there, 'sort=size', zone, 'a.')).toMatchObject({ lost: ['sort'] });
});
