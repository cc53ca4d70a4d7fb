import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { Note } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';
import { Link } from './link.tsx';
import type { CallError } from './outcome.ts';
import { mayCall } from './session.ts';

/** Where an address inside one's own network was refused: the way to where it's allowed, for who may allow it. */
export function NotPublic({ refused }: { refused: CallError | undefined }) {
  const t = useT();
  if (refused?.fault !== 'ADDRESS_NOT_PUBLIC' || !mayCall(systemSettingCalls.outbound)) return null;
  return (
    <Note tone="warn">
      {t('settings.outbound.lead')} <Link to="/system/settings?tab=outbound">{t('settings.outbound.title')}</Link>
    </Note>
  );
}
