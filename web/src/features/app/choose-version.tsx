import { appVersionCalls } from '@mooring/contract/app/calls';
import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';
import { versionWords } from './version-words.ts';

/** Versions in the catalogue, newest first, and the chosen one. */
export function ChooseVersion({ value, onChange, onBlur, set, disabled }: ControlPart<number | null | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const criteria = { reviewState: '2', publishState: { in: ['1', '3'] }, ...(text ? { text } : {}) };
  const found = useCall(appVersionCalls.page, { criteria, page: { size: 50 } }, { keep: true });
  const listed = (found.data?.content ?? []).filter((one) => one.releasable);
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
      {found.data && all.length === 0 && text === '' ? nothing : null}
    </>
  );
}
