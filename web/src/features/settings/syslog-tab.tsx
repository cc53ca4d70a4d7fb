import { forwardCalls } from '@mooring/contract/audit-log/forward-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Stat } from '../../ui/figures.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { SettingForm } from './setting-form.tsx';

const facilities = [
  [4, 'auth'],
  [10, 'authpriv'],
  [13, 'audit'],
  ...Array.from({ length: 8 }, (_, at) => [16 + at, `local${at}`] as const),
] as const;

/** How it goes: what waits, what went last, and why not. */
function State() {
  const t = useT();
  const format = useFormat();
  const now = useSession();
  const { data, error, retry } = useCall(forwardCalls.state, {});
  const test = useAct(forwardCalls.test, {
    done: (found) =>
      found.delivered
        ? toast('done', t('settings.syslog.test.done'))
        : toast('error', t('settings.syslog.test.failed', { error: found.error ?? '' })),
  });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <PageSkeleton />;
  const moment = (at: string | Date | null) => (at === null ? undefined : format.moment(String(at), 'second'));
  return (
    <section className="m-panel m-panel-body m-stack" aria-labelledby="syslog-state">
      <h2 id="syslog-state">{t('settings.syslog.state')}</h2>
      {data.enabled ? (
        <div className="m-stats">
          <Stat label={t('settings.syslog.sentAt')} value={moment(data.sentAt) ?? t('settings.syslog.never')} />
          <Stat label={t('settings.syslog.waiting')} value={format.number(data.waiting)} />
          {data.waitingSince ? <Stat label={t('settings.syslog.waitingSince')} value={moment(data.waitingSince) ?? ''} /> : null}
        </div>
      ) : (
        <p className="m-muted">{t('settings.syslog.off')}</p>
      )}
      {data.failingSince ? (
        <p role="alert">{t('settings.syslog.failing', { at: moment(data.failingSince) ?? '', error: data.error ?? '' })}</p>
      ) : null}
      {data.clientCertificate ? <p className="m-muted">{t('settings.syslog.client')}</p> : null}
      {mayCall(forwardCalls.test, now) ? (
        <span>
          <Button busy={test.busy} onClick={() => test.run({})}>
            {t('settings.syslog.test')}
          </Button>
        </span>
      ) : null}
    </section>
  );
}

export const SyslogTab = () => (
  <div className="m-stack">
    <State />
    <SettingForm
      type="syslog"
      call={systemSettingCalls.syslog}
      sections={[
        {
          title: 'settings.syslog.server',
          text: 'settings.syslog.about',
          fields: [
            { name: 'enabled', label: 'settings.syslog.enabled', kind: 'switch' },
            { name: 'what', label: 'settings.syslog.what', names: 'settings.syslog.what.' },
            { name: 'host', label: 'settings.syslog.host', kind: 'text', help: 'settings.outbound.help' },
            { name: 'port', label: 'settings.syslog.port', kind: 'number' },
            { name: 'security', label: 'settings.syslog.security', names: 'settings.syslog.security.' },
            {
              name: 'facility',
              label: 'settings.syslog.facility',
              kind: 'one',
              choices: facilities.map(([value, said]) => ({ value, label: { text: said } })),
            },
            { name: 'ca', label: 'settings.syslog.ca', kind: 'area', help: 'settings.syslog.ca.help' },
          ],
        },
      ]}
    />
  </div>
);
