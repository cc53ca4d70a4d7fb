import type { OutputOf } from '@mooring/contract/kit/call';
import { paramSetCalls, paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { paramFileKind } from '@mooring/contract/paramfile/kind';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';

export type ParamSetRow = OutputOf<typeof paramSetCalls.detail>;

export const setPath = (row: { id: number }): string => `/post/paramfile/detail/${row.id}`;
/** A new release of an upload. */
export const releasePath = ({ id, name }: { id: number; name: string }): string =>
  `${paramFileKind.screens.task}/new?set=${id}&name=${encodeURIComponent(name)}`;

export const releaseSet: RowAction<ParamSetRow> = {
  key: 'release',
  label: 'paramSet.release',
  icon: 'send',
  when: () => mayCall(paramTaskCalls.add),
  to: releasePath,
};
export const deleteSet = rowAction(paramSetCalls.delete, {
  successText: 'done.deleted',
  label: 'paramSet.delete',
  allowedAction: 'delete',
  danger: true,
  confirm: { text: 'paramSet.delete.about' },
});
