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
import { lazy, Suspense } from 'react';
import type { ContentSpec, ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { bind } from '../../kit/bind-page.ts';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import { t } from '../../ui/words.ts';
import type { Shown } from './choose-content.tsx';

// The wizard alone needs what can be chosen: routes are there before any page.
const Choose = lazy(() => import('./choose-content.tsx').then((found) => ({ default: found.ChooseContent })));
function Chosen(control: ControlPart<number | null | undefined> & { part: Shown }) {
  return (
    <Suspense fallback={null}>
      <Choose {...control} />
    </Suspense>
  );
}

const isSet = (values: Values) => values.action !== 'reset';
const from: ContentSpec['from'] = (search) => {
  const id = Number(search.get('content'));
  return id > 0 ? { contentId: id, contentName: search.get('name') ?? '' } : {};
};
/** What is chosen, or that the terminal's own comes back. */
function contentOf(schema: ContentSpec['schema'], part: Shown, more: readonly FieldSpec[] = []): ContentSpec {
  return {
    schema,
    downloads: true,
    initial: { action: 'config', contentId: null },
    from,
    fields: [
      { name: 'action', label: 'release.action', names: 'release.action.' },
      { name: 'contentId', label: 'content.chosen', Control: bind(Chosen, { part }), wide: true, when: isSet },
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
  content: contentOf(AdvertRelease, 'advert', [
    { name: 'place', label: 'advert.place', names: 'advert.place.', when: (values) => !isSet(values) },
  ]),
};
export const customizations: ReleaseKind = {
  of: systemCustomizationKind,
  calls: { tasks: customizationTaskCalls, devices: customizationTaskDeviceCalls },
  title: 'task.kind.systemCustomization',
  empty: 'task.empty',
  emptyText: 'customization.emptyText',
  content: contentOf(CustomizationRelease, 'customization'),
};
export const desktops: ReleaseKind = {
  of: customizeDesktopKind,
  calls: { tasks: desktopTaskCalls, devices: desktopTaskDeviceCalls },
  title: 'task.kind.customizeDesktop',
  empty: 'task.empty',
  emptyText: 'desktop.emptyText',
  content: contentOf(DesktopRelease, 'desktop'),
};
