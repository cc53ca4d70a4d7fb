import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { Id, Moment, Name, ref } from '../kit/schema.ts';
import { sdkMachine } from './state-machines.ts';

/** The file kind of what developers build with. */
export const SDK_FILE = '11';

/** What developers need to build apps for a product: a file for each version, seen by all below its owner once it is published. */
export const Sdk = entity(
  'sdk',
  {
    name: field(Name, { sort: true }),
    version: field(z.string().trim().min(1).max(64), { sort: true, unique: 'SDK_TAKEN' }),
    productId: field(ref('product'), { filter: true }),
    productName: joined(z.string(), { text: 'sdk.productId' }),
    lowestFirmware: field(z.string().trim().max(64).default(''), { help: true }),
    /** One’s own upload, or that of whoever added it: a colleague edits the rest. */
    fileId: field(Id),
    fileName: read(z.string()),
    size: read(z.number()),
    sha256: read(z.string()),
    note: field(z.string().trim().max(4000).default('')),
    publishState: state(sdkMachine, { filter: true }),
    deptId: read(Id),
    deptName: joined(z.string(), { text: 'sdk.deptId' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name', 'version'] }, title: 'sdk.many' },
);

const manage = 'app:sdk:manage';
const faults = ['SDK_PUBLISHED'];
export const sdkCalls = calls('app', '/sys/sdk', {
  ...crud(
    Sdk,
    { see: `app:dev:page||${manage}`, add: manage, update: manage, delete: manage },
    { faults: { add: ['FILE_KIND_REFUSED'], update: [...faults, 'FILE_KIND_REFUSED'], delete: faults } },
  ),
  ...moves(Sdk, { publish: manage, unpublish: manage }),
});
