import { appVersionCalls } from '@mooring/contract/app/calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';
import { versionWords } from './version-words.ts';

/** What can be sent: versions in the catalogue, newest first; on trial those that wait for the person's review. The chosen one always. */
export function ChooseVersion({ value, onChange, onBlur, values, set, disabled }: ControlPart<number | null | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const isTrial = values.action === 'trial';
  const asked = isTrial ? { reviewState: '1' as const } : { reviewState: '2' as const, publishState: { in: ['1' as const, '3' as const] } };
  const criteria = { ...asked, ...(text ? { text } : {}) };
  const found = useCall(appVersionCalls.page, { criteria, page: { size: 50 } }, { keep: true });
  const listed = (found.data?.content ?? []).filter((one) => (isTrial ? allows(one, 'approve') : one.releasable));
  const isMissing = typeof value === 'number' && found.data !== undefined && !listed.some((one) => one.id === value);
  const own = useCall(appVersionCalls.detail, { id: value ?? 0 }, { enabled: isMissing });
  const all = [...listed, ...(isMissing && own.data ? [own.data] : [])];
  const labelOf = (one: (typeof all)[number]) =>
    [`${one.appName} ${versionWords(one)}`, ...(one.channel === 'test' ? [t('appVersion.channel.test')] : []), one.packageName].join(' – ');
  const nothing = <WayToMade madeOn={['app']} />;
  return (
    <>
      <Select
        value={value ?? undefined}
        label={t('appRelease.version')}
        options={all.map((one) => ({ value: one.id, label: labelOf(one) }))}
        onChange={(id) => {
          const row = all.find((one) => one.id === id);
          onChange(id);
          set('appName', row?.appName ?? '');
          set('packageName', row?.packageName ?? '');
          set('versionName', row?.versionName ?? '');
          set('versionCode', row?.versionCode ?? null);
        }}
        onBlur={onBlur}
        disabled={disabled}
        onSearch={setText}
        busy={found.fetching}
        nothing={nothing}
      />
      {isTrial ? <p className="m-muted">{t('appRelease.trial.about')}</p> : null}
      {found.data && all.length === 0 && text === '' ? nothing : null}
    </>
  );
}
