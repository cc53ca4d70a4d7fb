import type { RegisterKind } from '@mooring/contract/auth/register-calls';
import { useState } from 'react';
import { parsed, tab } from '../../kit/storage.ts';
import { CODE_LASTS_MS } from './mailed-step.ts';
import type { Place } from './register-place.tsx';

interface Registration {
  readonly step: 'what' | 'mail' | 'you';
  readonly kind: RegisterKind;
  readonly place?: Place | undefined;
  readonly email: string;
  /** When the mailed code ends. */
  readonly until: number;
}
const KEPT = 'registration';

function restored(kinds: readonly RegisterKind[]): Registration {
  const found = parsed<Registration | undefined>(tab.get(KEPT), undefined);
  if (!found || !kinds.includes(found.kind)) return { step: 'what', kind: kinds[0] ?? 'org', email: '', until: 0 };
  return found.step === 'you' && found.until <= Date.now() ? { ...found, step: 'mail' } : found;
}

/** How far a registration is. A reload goes on there, in this tab; what is entered in the last step, a password among it, isn't kept. */
export function useRegistration(kinds: readonly RegisterKind[]) {
  const [at, setAt] = useState(() => restored(kinds));
  const put = (change: Partial<Registration>) => {
    const next = { ...at, ...change };
    tab.set(KEPT, JSON.stringify(next));
    setAt(next);
  };
  return {
    ...at,
    put,
    sent: () => put({ step: 'you', until: Date.now() + CODE_LASTS_MS }),
    over: () => tab.set(KEPT, undefined),
  };
}
