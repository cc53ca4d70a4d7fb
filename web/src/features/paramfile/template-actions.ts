import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import type { OutputOf } from '@mooring/contract/kit/call';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';

export type TemplateRow = OutputOf<typeof paramTemplateCalls.detail>;
export const TEMPLATES = '/pos/paramstemplate';
export const templatePath = (row: { id: number }): string => `${TEMPLATES}/detail/${row.id}`;

/** A new release of its values. */
export const releaseTemplate: RowAction<TemplateRow> = {
  key: 'release',
  label: 'paramTemplate.release',
  icon: 'send',
  when: () => mayCall(androidTaskCalls.add),
  to: ({ id }) => `${newTaskScreen(androidParamKind)}?template=${id}`,
};
export const editTemplate: RowAction<TemplateRow> = {
  key: 'edit',
  label: 'paramTemplate.edit',
  icon: 'edit',
  allowedAction: 'update',
  to: ({ id }) => `${TEMPLATES}/${id}`,
};
export const deleteTemplate = rowAction(paramTemplateCalls.delete, {
  successText: 'done.deleted',
  label: 'paramTemplate.delete',
  allowedAction: 'delete',
  danger: true,
  confirm: { text: 'paramTemplate.delete.about' },
});
