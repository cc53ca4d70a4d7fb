import { messageCalls } from '@mooring/contract/message/calls';
import { useDepts, usePeopleBy } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { MessageChannels } from './channels.tsx';

const usePeople = (text: string, chosen: readonly (string | number)[]) => usePeopleBy(messageCalls.people, text, chosen);

export const SendMessage = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="message.new"
    call={messageCalls.send}
    submit="message.send"
    successText="message.sentOk"
    initial={{ recipients: 'all', priority: '2', channels: [] }}
    fields={[
      { name: 'title', label: 'message.subject', wide: true },
      { name: 'text', label: 'message.text', kind: 'area' },
      { name: 'recipients', label: 'message.recipients', names: 'message.recipients.' },
      { name: 'priority', label: 'message.priority', names: 'message.priority.', help: 'notice.priority.help' },
      {
        name: 'deptIds',
        label: 'message.depts',
        kind: 'multi',
        useChoices: useDepts,
        when: (values) => values.recipients === 'organisation',
      },
      { name: 'userIds', label: 'message.users', kind: 'multi', useChoices: usePeople, when: (values) => values.recipients === 'users' },
      { name: 'channels', label: 'message.channels', Control: MessageChannels },
    ]}
    onClose={onClose}
  />
);
