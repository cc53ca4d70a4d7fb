import { z } from 'zod';
import { PackageKind, Version } from '../device/manifest.ts';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, Remark, ref } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { packageMachine } from './state-machines.ts';

export const FirmwarePackage = z.object({
  id: Id,
  productId: Id,
  productName: z.string(),
  version: z.string(),
  kind: PackageKind,
  base: z.string().nullable(),
  fileId: Id,
  fileName: z.string(),
  size: z.number(),
  sha256: z.string(),
  md5: z.string(),
  note: z.string(),
  publishState: stateOf(packageMachine),
  deptId: Id,
  createdBy: z.string(),
  createdAt: Moment,
  ...allowedActions,
});
export type FirmwarePackage = z.infer<typeof FirmwarePackage>;

export const PackageNew = z
  .strictObject({
    productId: ref('product'),
    version: Version,
    kind: PackageKind.default('TA'),
    base: Version.nullable().default(null),
    fileId: ref('file'),
    note: Remark.default(''),
    /** Needs the permission to publish besides. */
    publish: z.boolean().default(false),
  })
  .refine((it) => (it.kind === 'DI') === (it.base !== null), { path: ['base'], message: 'invalid.base' });

const packageFilters = {
  /** Words, each a part of the version, the kind, or the product's name or code. */
  text: filter.text(),
  version: filter.text(),
  productId: filter.exact(Id),
  kind: filter.exact(PackageKind),
  publishState: filter.exact(stateOf(packageMachine)),
  deptId: filter.exact(Id),
  createdBy: filter.text(),
  createdAt: filter.moment(),
};
const many = (can: `firmware:${string}`) => call({ can, input: bulkOf(criteriaOf(packageFilters)), output: BulkOutcome, tx: 'own' });

export const packageCalls = calls('firmware', '/api/fotaUppackage', {
  page: call({
    can: 'firmware:package:page||firmware:task:page',
    reads: true,
    input: pageQuery(packageFilters, ['-createdAt', 'version']),
    output: pageOf(FirmwarePackage),
  }),
  detail: call({
    can: 'firmware:package:page||firmware:task:page',
    reads: true,
    input: z.strictObject({ id: Id }),
    output: FirmwarePackage,
  }),
  add: call({
    can: 'firmware:package:add',
    input: PackageNew,
    output: FirmwarePackage,
    faults: ['PACKAGE_EXISTS', 'FILE_NOT_READY', 'FILE_WRONG_KIND'],
  }),
  publish: transition(packageMachine, 'publish', 'firmware:package:publish', FirmwarePackage, { faults: ['PACKAGE_FULL_MISSING'] }),
  unpublish: transition(packageMachine, 'unpublish', 'firmware:package:publish', FirmwarePackage, { faults: ['PACKAGE_IN_USE'] }),
  publishMany: many('firmware:package:publish'),
  unpublishMany: many('firmware:package:publish'),
  deleteMany: many('firmware:package:delete'),
  /** One that a task uses that may still run stays. */
  delete: call({ can: 'firmware:package:delete', input: z.strictObject({ id: Id }), faults: ['PACKAGE_IN_USE', 'PACKAGE_PUBLISHED'] }),
});
