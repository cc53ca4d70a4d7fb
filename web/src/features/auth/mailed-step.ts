import { useState } from 'react';
import { parsed, tab } from '../../kit/storage.ts';

/** As long as a mailed code works. */
export const CODE_LASTS_MS = 10 * 60_000;
interface Mailed {
  readonly to: string;
  /** Of this asking; it goes back with the code. */
  readonly ticket: string;
  /** When another one may be asked for. */
  readonly again: number;
  readonly until: number;
}
const kept = (purpose: string) => `mailed.${purpose}`;
const secondsTo = (moment: number) => Math.max(0, Math.ceil((moment - Date.now()) / 1000));

/** Address or number, then code. A reload goes on where the code can be entered, in this tab, for as long as it works. */
export function useMailedStep(purpose: 'login' | 'reset') {
  const [mailed, setMailed] = useState<Mailed | undefined>(() => {
    const found = parsed<Mailed | undefined>(tab.get(kept(purpose)), undefined);
    return found && found.until > Date.now() ? found : undefined;
  });
  const [to, setTo] = useState(mailed?.to ?? '');
  const put = (next: Mailed | undefined) => {
    tab.set(kept(purpose), next && JSON.stringify(next));
    setMailed(next);
  };
  return {
    to,
    setTo,
    wait: mailed && secondsTo(mailed.again),
    ticket: mailed?.ticket ?? '',
    sent: ({ waitSeconds, ticket }: { waitSeconds: number; ticket: string }) =>
      put({ to, ticket, again: Date.now() + waitSeconds * 1000, until: Date.now() + CODE_LASTS_MS }),
    over: () => put(undefined),
  };
}
