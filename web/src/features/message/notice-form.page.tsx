import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { MOST_ATTACHMENTS, Notice, noticeCalls } from '@mooring/contract/message/notice-calls';
import { useDepts, usePeopleBy } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { MarkdownControl } from '../../kit/markdown/markdown-control.tsx';
import { useCall } from '../../kit/queries.ts';
import { AttachmentsControl } from '../../kit/upload/attachments-control.tsx';
import { useView } from '../../kit/view.ts';
import { NoticeChannels } from './channels.tsx';
import { useRoles } from './role-choices.ts';

/** With the names of what hangs on it already, or on the one that it copies. */
function FilesControl({ value = [], onChange, disabled, values }: ControlPart<readonly number[] | undefined>) {
  const { search } = useView();
  const id = Number(values.id ?? search.get('copy'));
  const { data } = useCall(noticeCalls.detail, { id }, { enabled: Number.isInteger(id) && id > 0 });
  return (
    <AttachmentsControl
      fileType={ATTACHMENT}
      most={MOST_ATTACHMENTS}
      value={value}
      onChange={onChange}
      disabled={disabled}
      known={data?.attachments ?? []}
    />
  );
}
const usePeople = (text: string, chosen: readonly (string | number)[]) => usePeopleBy(noticeCalls.people, text, chosen);
const to = (who: string) => (values: object) => 'recipients' in values && values.recipients === who;

export const noticeForm = formPage(Notice, noticeCalls, {
  path: '/notice',
  // Their times were the other one's.
  copied: (values) => ({ ...values, startsAt: null, endsAt: null }),
  initial: { recipients: 'all', priority: '2' },
  fields: [
    { name: 'title', wide: true },
    { name: 'body', Control: MarkdownControl, wide: true },
    { name: 'files', Control: FilesControl, wide: true },
    'recipients',
    'priority',
    { name: 'deptIds', kind: 'multi', useChoices: useDepts, when: to('organisation'), wide: true },
    { name: 'roleIds', kind: 'multi', useChoices: useRoles, when: to('roles'), wide: true },
    { name: 'userIds', kind: 'multi', useChoices: usePeople, when: to('users'), wide: true },
    { name: 'channels', Control: NoticeChannels },
    { name: 'startsAt', kind: 'moment' },
    { name: 'endsAt', kind: 'moment' },
  ],
});
