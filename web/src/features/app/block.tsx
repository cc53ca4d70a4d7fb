import { appCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Select } from '../../ui/controls.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';

/** Apps of one's own organisation. */
function useOwnApps(text: string) {
  const found = useCall(appCalls.page, { criteria: { own: true, ...(text ? { text } : {}) }, page: { size: 50 } }, { keep: true });
  return {
    choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: `${one.name} – ${one.packageName}` } })),
    busy: found.fetching,
  };
}

/** Its whole name goes along: by its id alone nobody is found. */
function Organisation({ value, onChange, onBlur, values, fill }: ControlPart<number | undefined>) {
  const [text, setText] = useState('');
  const appId = Number(values.appId);
  const found = useCall(appSubscriptionCalls.blockable, { appId, text }, { keep: true, enabled: appId > 0 });
  const offered = found.data ?? [];
  const isShown = value === undefined || offered.some(({ id }) => id === value);
  const all = isShown ? offered : [...offered, { id: value, name: String(values.deptName) }];
  return (
    <Select
      options={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={(id) => {
        fill('deptName', all.find((one) => one.id === id)?.name);
        onChange(id);
      }}
      onBlur={onBlur}
      onSearch={setText}
      busy={found.fetching}
    />
  );
}

interface Blocked {
  readonly appId: number;
  readonly deptId: number;
  readonly deptName: string;
}

/** Of an app that is known, or of one that is chosen here; of a subscriber, or of an organisation that is chosen. */
export function Block({ of = {}, onClose }: { of?: Partial<Blocked>; onClose: () => void }) {
  const t = useT();
  const name = of.deptName;
  return (
    <FormDialog
      title="appSubscription.block"
      {...(name === undefined ? {} : { of: name })}
      submit="appSubscription.block"
      call={appSubscriptionCalls.block}
      about={<p className="m-muted">{t('appSubscription.block.about')}</p>}
      onDone={({ deptName }) => toast('done', t('appSubscription.blocked', { name: deptName }))}
      initial={of}
      fields={[
        ...(of.appId === undefined
          ? [{ name: 'appId', label: 'appSubscription.appId', kind: 'one', useChoices: useOwnApps, wide: true } as const]
          : []),
        ...(of.deptId === undefined
          ? [
              {
                name: 'deptId',
                label: 'appSubscription.block.dept',
                help: 'appSubscription.block.dept.help',
                kind: 'custom',
                Control: Organisation,
                wide: true,
              } as const,
            ]
          : []),
        { name: 'reason', label: 'appSubscription.reason', kind: 'area', wide: true },
      ]}
      onClose={onClose}
    />
  );
}
