import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';

type What = 'acknowledge' | 'close' | 'muteDevice' | 'muteRule';
interface Handled {
  readonly what: What;
  readonly id: number;
  readonly name: string;
}
const handled = createStore<Handled | undefined>(undefined);
export const handle = (what: What, id: number, name: string): void => handled.set({ what, id, name });

export const isMuted = ({ mutedUntil }: { readonly mutedUntil: string | Date | null }): boolean =>
  mutedUntil !== null && Date.parse(String(mutedUntil)) > Date.now();

const HOUR = 3_600_000;
/** In an hour, to the minute. */
const later = () => new Date(Math.ceil((Date.now() + HOUR) / 60_000) * 60_000).toISOString();

const texts = {
  acknowledge: { title: 'alarm.acknowledge', successText: 'alarm.acknowledged', call: alarmCalls.acknowledge },
  close: { title: 'alarm.close', successText: 'alarm.closed', call: alarmCalls.close },
  muteDevice: { title: 'alarm.mute', about: 'alarm.mute.about', successText: 'alarm.muted', call: alarmCalls.muteDevice },
  muteRule: { title: 'alertRule.mute', about: 'alertRule.mute.about', successText: 'alertRule.muted', call: alertRuleCalls.mute },
} as const;

function Asking({ what, id, name }: Handled) {
  const [until] = useState(later);
  const { title, successText, call } = texts[what];
  const isMute = what === 'muteDevice' || what === 'muteRule';
  const about = what === 'close' ? 'alarm.close.about' : isMute ? texts[what].about : undefined;
  const close = () => handled.set(undefined);
  const mute = [{ name: 'until', label: 'alarm.mutedUntil', kind: 'moment', needed: true, wide: true }];
  const note = [{ name: 'note', label: 'alarm.note', kind: 'area' }];
  return (
    <FormDialog
      title={title}
      of={name}
      call={call as never}
      submit={title}
      about={about ? <p className="m-muted">{t(about)}</p> : undefined}
      fields={(isMute ? mute : note) as never}
      initial={(isMute ? { [what === 'muteDevice' ? 'deviceId' : 'id']: id, until } : { id }) as never}
      onDone={() => done(successText, name)}
      onClose={close}
    />
  );
}
const done = (text: (typeof texts)[What]['successText'], name: string) => toast('done', t(text, { name }));

/** The dialogs of what is done with an alarm or a rule, over whichever list. */
export function Handling() {
  const now = useStore(handled);
  return now ? <Asking key={`${now.what} ${now.id}`} {...now} /> : null;
}
