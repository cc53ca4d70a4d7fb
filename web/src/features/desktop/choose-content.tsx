import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { numbered } from '@mooring/contract/desktop/numbered';
import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

type Calls = Pick<typeof advertCalls, 'page' | 'detail'>;
const callsOf = { advert: advertCalls, customization: customizationCalls, desktop: desktopCalls };
export type Shown = keyof typeof callsOf;

/** What is published, newest first, and the chosen one; its name goes along for those who look at the release before it is saved. */
export function ChooseContent({ part, value, onChange, onBlur, set, disabled }: ControlPart<number | null | undefined> & { part: Shown }) {
  const t = useT();
  const [text, setText] = useState('');
  const calls = callsOf[part] as unknown as Calls;
  const criteria = { state: 'published', ...(text ? { text } : {}) };
  const found = useCall(calls.page, { criteria, page: { size: 50 } }, { keep: true });
  const listed = found.data?.content ?? [];
  const isMissing = typeof value === 'number' && found.data !== undefined && !listed.some((one) => one.id === value);
  const own = useCall(calls.detail, { id: value ?? 0 }, { enabled: isMissing });
  const all = [...listed, ...(isMissing && own.data ? [own.data] : [])];
  const nothing = <WayToMade madeOn={[part]} />;
  return (
    <>
      <Select
        value={value ?? undefined}
        label={t('content.chosen')}
        options={all.map((one) => ({ value: one.id, label: numbered(one) }))}
        onChange={(id) => {
          const row = all.find((one) => one.id === id);
          onChange(id);
          set('contentName', row ? numbered(row) : '');
          if (row && 'place' in row) set('place', row.place);
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
