import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import {
  AdvertRelease,
  advertTaskCalls,
  advertTaskDeviceCalls,
  CustomizationRelease,
  customizationTaskCalls,
  customizationTaskDeviceCalls,
  DesktopRelease,
  desktopTaskCalls,
  desktopTaskDeviceCalls,
} from '@mooring/contract/desktop/release-calls';
import { useState } from 'react';
import type { ContentSpec, ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { bind } from '../../kit/bind-page.ts';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import type { MadeOn } from '../../kit/made-on.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';
import { t } from '../../ui/words.ts';

type Pages = Pick<typeof advertCalls, 'page' | 'detail'>;
interface Choosing {
  readonly calls: Pages;
  readonly madeOn: MadeOn;
}

/** What is published, newest first, and the chosen one; its name goes along for those who look at the release before it is saved. */
function Choose({ calls, madeOn, value, onChange, onBlur, set, disabled }: ControlPart<number | null | undefined> & Choosing) {
  const [text, setText] = useState('');
  const criteria = { state: 'published', ...(text ? { text } : {}) };
  const found = useCall(calls.page, { criteria, page: { size: 50 } } as never, { keep: true });
  const listed = found.data?.content ?? [];
  const isMissing = typeof value === 'number' && found.data !== undefined && !listed.some((one) => one.id === value);
  const own = useCall(calls.detail, { id: value ?? 0 }, { enabled: isMissing });
  const all = [...listed, ...(isMissing && own.data ? [own.data] : [])];
  const nothing = <WayToMade madeOn={madeOn} />;
  return (
    <>
      <Select
        value={value ?? undefined}
        options={all.map((one) => ({ value: one.id, label: one.name }))}
        onChange={(id) => {
          const row = all.find((one) => one.id === id);
          onChange(id);
          set('contentName', row?.name ?? '');
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

const isSet = (values: Values) => values.action !== 'reset';
const from: ContentSpec['from'] = (search) => {
  const id = Number(search.get('content'));
  return id > 0 ? { contentId: id, contentName: search.get('name') ?? '' } : {};
};
/** What is chosen, or that the terminal's own comes back. */
function contentOf(schema: ContentSpec['schema'], choosing: Choosing, more: readonly FieldSpec[] = []): ContentSpec {
  return {
    schema,
    initial: { action: 'config', contentId: null },
    from,
    fields: [
      { name: 'action', label: 'release.action', names: 'release.action.' },
      { name: 'contentId', label: 'content.chosen', Control: bind(Choose, choosing as never), wide: true, when: isSet },
      ...more,
    ],
    words({ action, contentName, place }) {
      const where = typeof place === 'string' ? `${t(`advert.place.${place as 'idle'}`)}: ` : '';
      return `${where}${action === 'reset' ? t('release.action.reset') : String(contentName || '–')}`;
    },
  };
}

export const adverts: ReleaseKind = {
  of: storeAdvertSpaceKind,
  calls: { tasks: advertTaskCalls, devices: advertTaskDeviceCalls },
  title: 'task.kind.storeAdvertSpace',
  empty: 'task.empty',
  emptyText: 'advert.emptyText',
  content: contentOf(AdvertRelease, { calls: advertCalls, madeOn: ['advert'] }, [
    { name: 'place', label: 'advert.place', names: 'advert.place.', when: (values) => !isSet(values) },
  ]),
};
export const customizations: ReleaseKind = {
  of: systemCustomizationKind,
  calls: { tasks: customizationTaskCalls, devices: customizationTaskDeviceCalls },
  title: 'task.kind.systemCustomization',
  empty: 'task.empty',
  emptyText: 'customization.emptyText',
  content: contentOf(CustomizationRelease, { calls: customizationCalls as never, madeOn: ['customization'] }),
};
export const desktops: ReleaseKind = {
  of: customizeDesktopKind,
  calls: { tasks: desktopTaskCalls, devices: desktopTaskDeviceCalls },
  title: 'task.kind.customizeDesktop',
  empty: 'task.empty',
  emptyText: 'desktop.emptyText',
  content: contentOf(DesktopRelease, { calls: desktopCalls as never, madeOn: ['desktop'] }),
};
