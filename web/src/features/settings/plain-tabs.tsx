import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { OPS } from '../../kit/base.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import { GroupRules } from './items-field.tsx';
import { SettingForm } from './setting-form.tsx';
import { TestSend } from './test-send.tsx';

/** A project-config field that the environment gives: shown as it is, with where it comes from. */
function FileSource() {
  const t = useT();
  const loose = useLooseT();
  const { data, error, retry } = useCall(systemSettingCalls.storage, {});
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="file-source">
      <h2 id="file-source">{t('settings.project.fileSource')}</h2>
      {data ? (
        <p>
          <span className="m-mono">{data.source}</span> · {loose(`settings.storage.source.${data.source}`, data.source)} ·{' '}
          <span className="m-mono">{data.place}</span>
        </p>
      ) : (
        <Bone height={20} />
      )}
      <p className="m-muted">{t('settings.project.fileSource.set')}</p>
      <p>
        <Link to="/system/settings?tab=storage">{t('settings.project.fileSource.more')}</Link>
      </p>
    </section>
  );
}

/** The rest of the project's fields is for programs that ask for them: the console does nothing with them, so it doesn't offer them. */
export const ProjectTab = () => (
  <SettingForm
    type="project"
    call={systemSettingCalls.project}
    sections={[
      {
        fields: [
          { name: 'supportWebUrl', label: 'settings.project.supportWebUrl', help: 'settings.project.supportWebUrl.help', kind: 'text' },
          { name: 'afterSalesUrl', label: 'settings.project.afterSalesUrl', kind: 'text' },
        ],
      },
    ]}
    after={<FileSource />}
  />
);

export function SmsTab() {
  const t = useT();
  return (
    <div className="m-stack">
      {useSends('sms') ? null : (
        <Note tone="warn">
          {t('settings.sms.unset')} {t('settings.sms.unset.codes')}
        </Note>
      )}
      <SettingForm
        type="sms"
        call={systemSettingCalls.sms}
        sections={[
          {
            text: 'settings.sms.about',
            fields: [
              { name: 'url', label: 'settings.sms.url', kind: 'text', help: 'settings.outbound.help' },
              { name: 'secret', label: 'settings.sms.secret', kind: 'password' },
            ],
          },
        ]}
      />
      <TestSend channel="sms" />
    </div>
  );
}

export const AlarmsTab = () => (
  <SettingForm
    type="alarmReceivers"
    call={systemSettingCalls.alarmReceivers}
    sections={[
      {
        text: 'settings.alarms.about',
        fields: [{ name: 'emails', label: 'settings.alarms.emails', kind: 'tags' }],
      },
    ]}
  />
);

export const ReviewTab = () => (
  <SettingForm
    type="accessReview"
    call={systemSettingCalls.accessReview}
    sections={[
      {
        title: 'settings.tab.review',
        text: 'settings.review.about',
        fields: [
          { name: 'months', label: 'settings.review.months', kind: 'number' },
          { name: 'remindDays', label: 'settings.review.remindDays', kind: 'number' },
        ],
      },
    ]}
  />
);

/** What the server may reach though it isn't public. */
export const OutboundTab = () => (
  <SettingForm
    type="outbound"
    call={systemSettingCalls.outbound}
    sections={[
      {
        text: 'settings.outbound.about',
        fields: [
          { name: 'allowed', label: 'settings.outbound.allowed', kind: 'tags', wide: true },
          { name: 'webhooks', label: 'settings.outbound.webhooks', help: 'settings.outbound.webhooks.help', kind: 'tags', wide: true },
          { name: 'alarms', label: 'settings.outbound.alarms', help: 'settings.outbound.alarms.help', kind: 'tags', wide: true },
          { name: 'iot', label: 'settings.outbound.iot', help: 'settings.outbound.iot.help', kind: 'tags', wide: true },
          { name: 'registers', label: 'settings.outbound.registers', help: 'settings.outbound.registers.help', kind: 'tags', wide: true },
          {
            name: 'timestamps',
            label: 'settings.outbound.timestamps',
            help: 'settings.outbound.timestamps.help',
            kind: 'tags',
            wide: true,
          },
          { name: 'downloads', label: 'settings.outbound.downloads', help: 'settings.outbound.downloads.help', kind: 'tags', wide: true },
          { name: 'callbacks', label: 'settings.outbound.callbacks', help: 'settings.outbound.callbacks.help', kind: 'tags', wide: true },
        ],
      },
    ]}
  />
);

/** Whole, as the identity provider asks for it. */
function RedirectUrl() {
  const t = useT();
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="sso-redirect">
      <h2 id="sso-redirect">{t('settings.sso.redirect')}</h2>
      <CopyText text={`${location.origin}${OPS}/sys/login/oidc/callback`} />
    </section>
  );
}

export const SsoTab = () => (
  <SettingForm
    type="singleSignOn"
    call={systemSettingCalls.singleSignOn}
    sections={[
      {
        text: 'settings.sso.about',
        fields: [
          { name: 'enabled', label: 'settings.sso.enabled', kind: 'switch' },
          { name: 'name', label: 'settings.sso.name' },
          { name: 'issuer', label: 'settings.sso.issuer', kind: 'text', help: 'settings.sso.issuer.help' },
          { name: 'clientId', label: 'settings.sso.clientId', kind: 'text' },
          { name: 'clientSecret', label: 'settings.sso.clientSecret', kind: 'password' },
          { name: 'scopes', label: 'settings.sso.scopes', kind: 'text' },
          { name: 'groupsClaim', label: 'settings.sso.groupsClaim' },
          { name: 'linkByEmail', label: 'settings.sso.linkByEmail', kind: 'switch' },
          { name: 'provision', label: 'settings.sso.provision', kind: 'switch' },
        ],
      },
      {
        title: 'settings.sso.rules',
        text: 'settings.sso.rules.about',
        fields: [{ name: 'rules', label: 'settings.sso.rules', Control: GroupRules }],
      },
    ]}
    after={<RedirectUrl />}
  />
);
