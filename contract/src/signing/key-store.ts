import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { Moment, Name, Remark, ref } from '../kit/schema.ts';
import { storeKinds, tokenReasons } from './limits.ts';

/** What holds the keys of one organisation. */
export const KeyStore = entity(
  'keyStore',
  {
    name: field(Name, { unique: 'KEY_STORE_TAKEN', sort: true }),
    kind: field(z.enum(storeKinds).default('software'), { fixed: true, filter: true, help: true }),
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
    { faults: { add: ['KEY_TOKEN_UNSET'], delete: ['KEY_STORE_IN_USE'] } },
  ),
  list: picker(KeyStore, ['name', 'deptName', 'kind']),
  /** Whether this server reaches its hardware token. */
  token: call({
    can: 'signing:key:page',
    reads: true,
    tx: 'own',
    output: z.object({ state: z.enum(['unset', 'there', 'away']), label: z.string(), reason: z.enum(tokenReasons).nullable() }),
  }),
});
