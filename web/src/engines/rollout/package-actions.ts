import type { Package } from '@mooring/contract/engines/rollout/package-calls';
import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import { fetchFile } from '../../kit/fetch-file.ts';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import type { PackageRelease } from './release-kind.ts';

const { unpublished, published, partly } = packageMachine.states;
export const isPublished = (state: string) => state === published.code || state === partly.code;
export const packagePath = (kind: PackageRelease, row: { id: number }): string => `${kind.of.screens.packages}/${row.id}`;
/** Where its delta packages are put to use. */
export const deltasPath = (kind: PackageRelease, row: { id: number }): string => `${packagePath(kind, row)}?tab=differences`;
/** A new release of a package. */
export const releasePath = (kind: PackageRelease, row: { id: number }): string => `${kind.of.screens.task}/new?package=${row.id}`;

/** What may be done with a package, in its list and on its page. */
export const packageActions = (kind: PackageRelease): readonly RowAction<Package>[] => {
  const { tasks, packages } = kind.calls;
  return [
    {
      key: 'release',
      label: 'firmware.package.release',
      icon: 'send',
      when: (row) => isPublished(row.publishState) && mayCall(tasks.add),
      to: (row) => releasePath(kind, row),
    },
    {
      key: 'download',
      label: 'firmware.package.download',
      icon: 'download',
      when: () => mayCall(packages.add),
      run: (row) => fetchFile(row.fileId, row.fileName),
    },
    rowAction(packages.publish, {
      successText: 'firmware.package.publishing',
      label: 'event.package.publish',
      allowedAction: 'publish',
      when: (row: Package) => row.publishState === unpublished.code,
    }),
    // A package that some domains don't have is published once more; one that all have isn't.
    rowAction(packages.publish, {
      key: 'publishAgain',
      successText: 'place.started',
      label: 'firmware.package.publishAgain',
      allowedAction: 'publish',
      when: (row: Package) => row.publishState === partly.code,
    }),
    rowAction(packages.unpublish, {
      successText: 'firmware.package.unpublished',
      label: 'event.package.unpublish',
      allowedAction: 'unpublish',
    }),
    rowAction(packages.delete, {
      successText: 'firmware.package.deleted',
      label: 'firmware.package.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'firmware.package.deleteText' },
    }),
  ];
};
