import type { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { type TextKey, useFormat, useT } from '../../ui/words.ts';
import type { Brings } from './release-kind.ts';
import { daysWords } from './window-days.ts';

export type DeliveryFact = readonly [title: TextKey, text: string];
const none = '–';

/** Nothing is downloaded where something is set. */
export const pacePerMinute = ({ downloads }: Brings): TextKey => (downloads ? 'firmware.task.pacePerMinute' : 'release.pacePerMinute');

/** How a release goes out, in words: everything that was chosen beside its targets and its rings. */
export function useDeliveryFacts(): (delivery: Omit<Delivery, 'rings'>, brings: Brings) => readonly DeliveryFact[] {
  const t = useT();
  const format = useFormat();
  const number = (value: number | null) => (value === null ? none : format.number(value));
  const yes = (value: boolean) => t(value ? 'kit.yes' : 'kit.no');
  return (delivery, brings) => {
    const { window } = delivery;
    return [
      ['firmware.task.window', window ? `${daysWords(t, window.days)} ${format.straight(`${window.from}–${window.to}`)}` : none],
      ...(window && window.blackout.length > 0 ? [['window.blackout', window.blackout.map(format.straight).join(', ')] as const] : []),
      ...(brings.downloads ? [['firmware.task.download', t(`firmware.task.download.${delivery.download}`)] as const] : []),
      ['firmware.task.install', t(`firmware.task.install.${delivery.install}`)],
      ['firmware.task.network', t(`firmware.task.network.${delivery.network}`)],
      ['firmware.task.onBusy', t(`firmware.task.onBusy.${delivery.onBusy}`)],
      [pacePerMinute(brings), number(delivery.pacePerMinute)],
      ['firmware.task.paceAtOnce', number(delivery.paceAtOnce)],
      ['firmware.task.retries', number(delivery.retries)],
      ['firmware.task.retryWait', number(delivery.retryWaitSeconds)],
      ['firmware.task.jitter', number(delivery.jitterSeconds)],
      ['firmware.task.timeout', number(delivery.timeoutMinutes)],
      ['window.waitingDays', number(delivery.waitingDays)],
      ['release.laterMembers', yes(delivery.laterMembers)],
      ['firmware.task.halt', delivery.haltPercent === null ? none : format.percent(delivery.haltPercent / 100)],
      ...(delivery.haltPercent === null ? [] : [['firmware.task.haltAfter', number(delivery.haltAfter)] as const]),
      ...(brings.versions ? [['firmware.task.allowDowngrade', yes(delivery.allowDowngrade)] as const] : []),
    ];
  };
}
