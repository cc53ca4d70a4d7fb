import type { Call } from '@mooring/contract/kit/call';
import { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { Note } from '../ui/states.tsx';
import type { TextKey } from '../ui/words.ts';
import { useT } from '../ui/words.ts';
import { Link } from './link.tsx';
import { useCall } from './queries.ts';
import { mayCall } from './session.ts';

const CHANGES = '/system/settings?tab=changes';

/** Whether the answer of a save says that it waits for a second person. */
export const isHeld = (call: Call, output: unknown): boolean => call.dual && output !== null;
/** What to say after it. */
export const saidOf = (call: Call, output: unknown, saved: TextKey): TextKey => (isHeld(call, output) ? 'change.sent' : saved);

/** Above a form whose changes wait for a second person, where the installation asks for that. */
export const DualNote = ({ call }: { call: Call }) => (call.dual && mayCall(systemSettingCalls.findByCriteria) ? <Asked /> : null);

function Asked() {
  const t = useT();
  const { data } = useCall(systemSettingCalls.findByCriteria, { criteria: { type: 'dualControl' } });
  if (data?.[0]?.value.enabled !== true) return null;
  return (
    <Note tone="plain">
      {t('settings.dualControl.held')} {mayCall(changeRequestCalls.page) ? <Link to={CHANGES}>{t('settings.tab.changes')}</Link> : null}
    </Note>
  );
}
