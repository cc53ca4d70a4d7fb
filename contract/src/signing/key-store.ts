import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { Moment, Name, Remark, ref } from '../kit/schema.ts';

/** What holds the keys of one organisation. */
export const KeyStore = entity(
  'keyStore',
  {
    name: field(Name, { unique: 'KEY_STORE_TAKEN', sort: true }),
    deptId: field(ref('dept'), { fixed: true, filter: true }),
    deptName: joined(z.string(), { text: 'keyStore.deptId' }),
    keys: joined(z.int()),
    remark: field(Remark.default('')),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'remark'] } },
);

const can = <A extends string>(act: A) => `signing:store:${act}` as const;
export const keyStoreCalls = calls('signing', '/api/keystore/store', {
  ...crud(
    KeyStore,
    { see: 'signing:key:page', add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { delete: ['KEY_STORE_IN_USE'] } },
  ),
  list: picker(KeyStore, ['name', 'deptName']),
});
