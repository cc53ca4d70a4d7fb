import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { advertMachine, customizationMachine, desktopMachine } from '@mooring/contract/desktop/state-machines';
import type { Call } from '@mooring/contract/kit/call';
import type { Machine } from '@mooring/contract/kit/state-machine';
import { makeOnce } from '../../kit/once.ts';
import { change } from '../../kit/queries.ts';
import { go } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { type T, t } from '../../ui/words.ts';
import { advertChanges, type Change, customizationChanges, desktopChanges } from './version-changes.ts';

/** What the line of versions needs to know of a kind of content. */
export interface Kind {
  readonly part: 'advert' | 'customization' | 'desktop';
  readonly machine: Machine;
  readonly form: string;
  readonly page: string;
  readonly calls: { readonly detail: Call; readonly versions: Call; readonly nextVersion: Call };
  changes(t: T, before: never, after: never): Change[];
}
export const advertKind: Kind = {
  part: 'advert',
  machine: advertMachine,
  form: '/pos/advert',
  page: '/pos/advert/detail',
  calls: { detail: advertCalls.detail, versions: advertCalls.versions, nextVersion: advertCalls.nextVersion },
  changes: advertChanges,
};
export const customizationKind: Kind = {
  part: 'customization',
  machine: customizationMachine,
  form: '/pos/customization',
  page: '/pos/customization/detail',
  calls: { detail: customizationCalls.detail, versions: customizationCalls.versions, nextVersion: customizationCalls.nextVersion },
  changes: customizationChanges,
};
export const desktopKind: Kind = {
  part: 'desktop',
  machine: desktopMachine,
  form: '/diyDesktop',
  page: '/diyDesktop/detail',
  calls: { detail: desktopCalls.detail, versions: desktopCalls.versions, nextVersion: desktopCalls.nextVersion },
  changes: desktopChanges,
};

/** It may be pressed again before it is answered. */
const once = makeOnce<unknown, { id: number }>();
/** A draft that follows, opened to be edited. */
export function createNext({ calls: { nextVersion }, form }: Kind, { id, name }: { readonly id: number; readonly name: string }): void {
  const { made, isFirst } = once([nextVersion.path, id], () => change(nextVersion, { id }) as Promise<{ id: number }>);
  if (!isFirst) return;
  void made.then(
    (draft) => {
      toast('done', t('content.done.next', { name }));
      go(`${form}/${draft.id}`);
    },
    // The client has shown why.
    () => undefined,
  );
}
