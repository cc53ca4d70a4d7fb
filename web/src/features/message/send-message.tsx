import { messageCalls } from '@mooring/contract/message/calls';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { useCall } from '../../kit/queries.ts';

function usePeople(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(messageCalls.people, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => !found.data?.some((one) => one.id === id));
  const named = useCall(messageCalls.people, { ids: missing }, { enabled: missing.length > 0 });
  const people = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: people.map((one) => ({ value: one.id, label: { text: `${one.name} (${one.account})` }, about: { text: one.deptName } })),
    busy: found.fetching || named.fetching,
    madeOn: ['member', 'managerMember'],
  };
}

export const SendMessage = ({ onClose }: { onClose: () => void }) => {
  const sends = useSends();
  return (
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
        { name: 'priority', label: 'message.priority', names: 'message.priority.' },
        {
          name: 'deptIds',
          label: 'message.depts',
          kind: 'multi',
          useChoices: useDepts,
          when: (values) => values.recipients === 'organisation',
        },
        { name: 'userIds', label: 'message.users', kind: 'multi', useChoices: usePeople, when: (values) => values.recipients === 'users' },
        {
          name: 'channels',
          label: 'message.channels',
          kind: 'multi',
          choices: [
            { value: 'popup', label: 'message.channel.popup' },
            ...(sends ? [{ value: 'email', label: 'message.channel.email' } as const] : []),
          ],
        },
      ]}
      onClose={onClose}
    />
  );
};
