import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { handlers, type Route } from '../../../platform/module.ts';
import { startExport } from '../../../platform/work/exporter.ts';
import type { Bytes } from '../differences/tools.ts';
import { ofPackages, placeShown, placesOf } from '../places/place-rows.ts';
import type { RolloutKind } from '../task.ts';
import { addPackage } from './add-package.ts';
import { manyPackages } from './many-packages.ts';
import { packageExporter, pagePackages } from './package-exporter.ts';
import { packageById, packageRow } from './package-queries.ts';
import { deletePackage, publishPackage, unpublishPackage } from './publish-package.ts';
import type { SignManifest } from './sign-package.ts';

/** Packages of a kind: uploaded, published (which signs them), taken back, deleted. */
export const packageRoutes = (kind: RolloutKind, calls: PackageCalls, signer: () => Promise<SignManifest>, bytes: Bytes): Route[] =>
  handlers(calls, {
    page: pagePackages(kind.of),
    export: (ctx, input) => startExport(ctx, packageExporter(kind.of, calls), input),
    detail: async (ctx, input) => {
      const row = await packageById(ctx.db, kind.of, input.id);
      if (!row) throw fault('NOT_FOUND');
      // Under the policy: whoever inherits a package sees no places of it.
      const places = (await placesOf(ctx.db, ofPackages, row.id)).map((place) => placeShown(place, ctx));
      return { ...packageRow(kind.of, row, ctx.actor, ctx.scope.path), places };
    },
    add: async (ctx, { publish, ...input }) => {
      if (publish && !isAllowed(ctx.actor.permissions, calls.publish.can)) throw fault('FORBIDDEN');
      const made = await addPackage(ctx, kind, bytes.store, input);
      return publish ? publishPackage(ctx, kind.of, made.id, await signer()) : made;
    },
    publish: async (ctx, input) => publishPackage(ctx, kind.of, input.id, await signer()),
    unpublish: (ctx, input) => unpublishPackage(ctx, kind.of, input.id),
    delete: (ctx, input) => deletePackage(ctx, kind.of, bytes, input.id),
    publishMany: (ctx, input) => manyPackages(ctx, kind.of, 'publish', input, signer, bytes),
    unpublishMany: (ctx, input) => manyPackages(ctx, kind.of, 'unpublish', input, signer, bytes),
    deleteMany: (ctx, input) => manyPackages(ctx, kind.of, 'delete', input, signer, bytes),
  });
