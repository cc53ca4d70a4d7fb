import { AuditConfig, auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { ListPart } from '../../kit/list/list-part.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';

const texts = { search: 'auditConfig.deptId' } as const;
const { Add, Edit, edit } = formDialogs(AuditConfig, auditConfigCalls, {
  texts,
  fields: ['deptId', 'taskType', 'enabled', 'hours1', 'hours2', 'hours3', 'whenLate'],
});

const rules = listOf(AuditConfig, auditConfigCalls, {
  code: 'approval.config',
  texts,
  columns: [{ key: 'deptName', width: 240 }, 'taskType', 'enabled', 'hours1', 'hours2', 'hours3', 'whenLate', 'createdAt'],
  Add,
  edit,
});

/** Which releases are approved, in the system settings. */
export const ConfigTab = () => (
  <>
    <ListPart spec={rules} queryPrefix="a." />
    <Edit />
  </>
);
