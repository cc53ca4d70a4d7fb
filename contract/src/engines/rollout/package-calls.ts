import { z } from 'zod';
import { PackageKind, Version } from '../../device/manifest.ts';
import { allowedActions } from '../../kit/allowed-actions.ts';
import { call, calls } from '../../kit/call.ts';
import { exporting } from '../../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../../kit/page.ts';
import { ById, documented, Id, Moment, Remark, ref } from '../../kit/schema.ts';
import { stateOf, transition } from '../../kit/state-machine.ts';
import { PublishPlace } from './publish-place.ts';
import { packageMachine } from './state-machines.ts';
import { type PackageAct, packagePermission, type TaskKind, taskPermission } from './task-kind.ts';

const said = z.string().trim().min(1).max(200).nullable().default(null);
/** What a package's file says of itself, and where it says so. */
export const Carried = z
  .object({
    /** Code of a product; of an update of Android its devices, apart by `|`. */
    product: said,
    version: said,
    build: said,
    from: z.enum(['pkg.json', 'android', 'container']),
  })
  .register(documented, { id: 'Carried' });
export type Carried = z.output<typeof Carried>;

/** A version of what a kind of release sends. */
export const Package = z
  .object({
    id: Id,
    productId: Id,
    productName: z.string(),
    /** Of which part it is a version (a module's name); empty where the kind has only one. */
    name: z.string(),
    version: z.string(),
    kind: PackageKind,
    base: z.string().nullable(),
    fileId: Id,
    fileName: z.string(),
    size: z.number(),
    sha256: z.string(),
    md5: z.string(),
    note: z.string(),
    /** What the file says of itself; null where it says nothing, or was taken unread. */
    carried: Carried.nullable(),
    publishState: stateOf(packageMachine),
    deptId: Id,
    createdBy: z.string(),
    createdAt: Moment,
    ...allowedActions,
  })
  .register(documented, { id: 'Package' });
export type Package = z.infer<typeof Package>;
/** With where it can be downloaded: for those in whose organisation it is. */
export const PackageDetail = Package.extend({ places: z.array(PublishPlace) }).register(documented, { id: 'PackageDetail' });
export type PackageDetail = z.infer<typeof PackageDetail>;

const packageFilters = {
  /** Words, each a part of the name, the version, the kind, or the product's name or code. */
  text: filter.text(),
  name: filter.text(),
  version: filter.text(),
  productId: filter.exact(Id),
  kind: filter.exact(PackageKind),
  publishState: filter.exact(stateOf(packageMachine)),
  deptId: filter.exact(Id),
  createdBy: filter.text(),
  createdAt: filter.moment(),
};

const written = {
  productId: ref('product'),
  version: Version,
  kind: PackageKind.default('TA'),
  base: Version.nullable().default(null),
  fileId: ref('file'),
  note: Remark.default(''),
  /** Needs the permission to publish besides. */
  publish: z.boolean().default(false),
};

const hasItsBase = (it: { kind?: unknown; base?: unknown }) => (it.kind === 'DI') === (it.base !== null);

// Of every kind alike, and so declared once.
const packagesInput = pageQuery(packageFilters, ['-createdAt', 'version']);
const packagesOutput = pageOf(Package);
const packageCriteria = criteriaOf(packageFilters);
const bulkPackages = bulkOf(packageCriteria);

/** Packages of a kind. `more` are the fields that only this kind's packages have. */
export function packageCallsOf<M extends z.ZodRawShape>(kind: TaskKind & { paths: { packages: string } }, more: M) {
  const can = (act: PackageAct) => packagePermission(kind, act);
  const seeing: `${string}:${string}` = `${can('page')}||${taskPermission(kind, 'page')}`;
  const many = (act: PackageAct) => call({ can: can(act), input: bulkPackages, output: BulkOutcome, tx: 'own' });
  return calls(kind.domain, kind.paths.packages, {
    page: call({ can: seeing, reads: true, input: packagesInput, output: packagesOutput }),
    export: exporting(seeing, packageCriteria),
    detail: call({ can: seeing, reads: true, input: ById, output: PackageDetail }),
    add: call({
      can: can('add'),
      input: z.strictObject({ ...written, ...more }).refine(hasItsBase, { path: ['base'], message: 'invalid.base' }),
      output: Package,
      faults: ['PACKAGE_EXISTS', 'PACKAGE_OTHER_PRODUCT', 'PACKAGE_OTHER_VERSION', 'FILE_NOT_READY', 'FILE_WRONG_KIND'],
    }),
    publish: transition(packageMachine, 'publish', can('publish'), Package, { faults: ['PACKAGE_FULL_MISSING'] }),
    unpublish: transition(packageMachine, 'unpublish', can('publish'), Package, { faults: ['PACKAGE_IN_USE'] }),
    publishMany: many('publish'),
    unpublishMany: many('publish'),
    deleteMany: many('delete'),
    /** One that a task uses that may still run stays. */
    delete: call({ can: can('delete'), input: ById, faults: ['PACKAGE_IN_USE', 'PACKAGE_PUBLISHED'] }),
  });
}
export type PackageCalls = ReturnType<typeof packageCallsOf<Record<never, never>>>;
