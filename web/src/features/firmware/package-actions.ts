import { fileCalls } from '@mooring/contract/file/calls';
import { type FirmwarePackage, packageCalls } from '@mooring/contract/firmware/package-calls';
import { packageMachine } from '@mooring/contract/firmware/state-machines';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { api } from '../../kit/client.ts';
import { download } from '../../kit/downloads.ts';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';

const isPublished = (state: string) => state === packageMachine.states.published.code || state === packageMachine.states.partly.code;
export const packagePath = (row: { id: number }) => `/device/fota/version/${row.id}`;

/** Its file, by an address that is good for ten minutes. */
const fetchFile = (row: FirmwarePackage) =>
  void api(fileCalls.getSecurityToken, { id: row.fileId }).then(
    ({ token }) => download(fileCalls.get, { token }, row.fileName),
    () => undefined,
  );

/** What may be done with a package, in its list and on its page. */
export const packageActions: readonly RowAction<FirmwarePackage>[] = [
  {
    key: 'release',
    label: 'firmware.package.release',
    icon: 'send',
    when: (row) => isPublished(row.publishState) && mayCall(taskCalls.add),
    to: (row) => `/device/fota/taskmod/new?package=${row.id}`,
  },
  { key: 'download', label: 'firmware.package.download', icon: 'download', when: () => mayCall(packageCalls.add), run: fetchFile },
  // A package that some stores couldn't take is published once more; one that all have isn't.
  rowAction(packageCalls.publish, {
    successText: 'firmware.package.published',
    label: 'event.package.publish',
    allowedAction: 'publish',
    when: (row: FirmwarePackage) => row.publishState !== packageMachine.states.published.code,
  }),
  rowAction(packageCalls.unpublish, {
    successText: 'firmware.package.unpublished',
    label: 'event.package.unpublish',
    allowedAction: 'unpublish',
  }),
  rowAction(packageCalls.delete, {
    successText: 'firmware.package.deleted',
    label: 'firmware.package.delete',
    allowedAction: 'delete',
    danger: true,
    confirm: { text: 'firmware.package.deleteText' },
  }),
];
