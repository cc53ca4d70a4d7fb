import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { useTerminals } from '../../../kit/choices.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { refresh } from '../../../kit/queries.ts';
import { toast } from '../../../ui/toast.tsx';
import { useT } from '../../../ui/words.ts';

/** Asks terminals for what they have written down. */
export function RequestLog({ of, onClose }: { of?: { readonly id: number }; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="deviceLog.request.title"
      call={deviceLogCalls.request}
      submit="deviceLog.request"
      wide
      initial={{ deviceIds: of ? [of.id] : [], lines: 500, hours: 24 }}
      fields={[
        ...(of
          ? []
          : ([{ name: 'deviceIds', label: 'deviceLog.request.devices', kind: 'multi', useChoices: useTerminals, wide: true }] as const)),
        { name: 'lines', label: 'deviceLog.request.lines', kind: 'number' },
        { name: 'level', label: 'deviceLog.request.level', kind: 'one', names: 'deviceLog.level.' },
        { name: 'from', label: 'deviceLog.request.from', kind: 'moment', help: 'deviceLog.request.from.help' },
        { name: 'to', label: 'deviceLog.request.to', kind: 'moment' },
        { name: 'hours', label: 'device.command.hours', kind: 'number' },
      ]}
      onClose={onClose}
      onDone={({ asked, refused }) => {
        toast('done', t(refused > 0 ? 'deviceLog.request.done.refused' : 'deviceLog.request.done', { done: asked, refused }));
        refresh('/device');
      }}
    />
  );
}
