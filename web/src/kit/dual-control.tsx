import type { Call } from '@mooring/contract/kit/call';
import { ChangeTarget, changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import type { SettingType } from '@mooring/contract/settings/kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { Note } from '../ui/states.tsx';
import { useT, type Words } from '../ui/words.ts';
import { allows } from './allows.ts';
import { Link } from './link.tsx';
import { useCall } from './queries.ts';
import { mayCall } from './session.ts';

const CHANGES = '/system/settings?tab=changes';

/** Whether the answer of a save says that it waits for a second person. */
export const isHeld = (call: Call, output: unknown): boolean => call.dual && output !== null;
/** What to say after it. */
export const saidOf = (call: Call, output: unknown, saved: Words): Words => (isHeld(call, output) ? 'change.sent' : saved);

interface About {
  readonly call: Call;
  readonly target: SettingType | ChangeTarget;
  /** The product line of a policy. */
  readonly line?: number;
}
/** Above a form whose changes wait for a second person, where the installation asks for that. */
export const DualNote = (of: About) => (of.call.dual && mayCall(systemSettingCalls.findByCriteria) ? <Asked {...of} /> : null);

function Asked(of: About) {
  const t = useT();
  const { data } = useCall(systemSettingCalls.findByCriteria, { criteria: { type: 'dualControl' } });
  if (data?.[0]?.value.enabled !== true) return null;
  const maySee = mayCall(changeRequestCalls.page);
  return (
    <Note tone="plain">
      {t('settings.dualControl.held')} {maySee ? <Pending {...of} /> : null}{' '}
      {maySee ? <Link to={CHANGES}>{t('settings.tab.changes')}</Link> : null}
    </Note>
  );
}

/** Said before another one is sent, which takes its place. */
function Pending({ target, line }: About) {
  const t = useT();
  const known = ChangeTarget.safeParse(target);
  const criteria = { state: 'waiting' as const, ...(known.success ? { target: known.data } : {}) };
  const { data } = useCall(changeRequestCalls.page, { criteria, page: { size: 50 } }, { enabled: known.success });
  const waits = data?.content.find((one) => (one.lineId ?? undefined) === line);
  if (!waits) return null;
  const own = allows(waits, 'withdraw');
  return <strong>{own ? t('change.pending.own') : t('change.pending', { author: waits.author })}</strong>;
}
