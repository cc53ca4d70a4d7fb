import { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { type ComponentType, lazy, Suspense, useMemo } from 'react';
import { bindPage } from '../../kit/bind-page.ts';
import { NoAccess } from '../../kit/dead-end.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import type { Page } from '../../kit/route.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { OpenTab, type SettingsTab, settingsGroups } from '../../kit/settings-tabs.ts';
import { SideList } from '../../kit/side-list.tsx';
import { useView } from '../../kit/view.ts';
import { PageSkeleton } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { speech, useT } from '../../ui/words.ts';

const call = systemSettingCalls.findByCriteria;
const own: readonly SettingsTab[] = [
  {
    key: 'branding',
    title: 'settings.tab.branding',
    group: 'general',
    texts: 'settings.branding.',
    call,
    load: () => import('./branding-tab.tsx').then((found) => found.BrandingTab),
  },
  {
    key: 'project',
    title: 'settings.tab.project',
    group: 'general',
    texts: 'settings.project.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.ProjectTab),
  },
  {
    key: 'mail',
    title: 'settings.tab.mail',
    group: 'messages',
    texts: 'settings.mail.',
    call,
    load: () => import('./mail-tab.tsx').then((found) => found.MailTab),
  },
  {
    key: 'sms',
    title: 'settings.tab.sms',
    group: 'messages',
    texts: 'settings.sms.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.SmsTab),
  },
  {
    key: 'outbox',
    title: 'settings.tab.outbox',
    group: 'messages',
    texts: 'settings.outbox.',
    call: mailCalls.page,
    load: () => import('./outbox-tab.tsx').then((found) => found.OutboxTab),
  },
  {
    key: 'alarms',
    title: 'settings.tab.alarms',
    group: 'messages',
    texts: 'settings.alarms.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.AlarmsTab),
  },
  {
    key: 'domains',
    title: 'settings.tab.domains',
    group: 'connections',
    texts: 'settings.domain.',
    call: downloadDomainCalls.page,
    load: () => import('./domains-tab.tsx').then((found) => found.DomainsTab),
  },
  {
    key: 'webhooks',
    title: 'settings.tab.webhooks',
    group: 'connections',
    texts: 'settings.webhook.',
    call: webhookCalls.page,
    load: () => import('./webhooks-tab.tsx').then((found) => found.WebhooksTab),
  },
  {
    key: 'outbound',
    title: 'settings.outbound.title',
    group: 'connections',
    texts: 'settings.outbound.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.OutboundTab),
  },
  {
    key: 'map',
    title: 'settings.map.title',
    group: 'connections',
    texts: 'settings.map.',
    call,
    load: () => import('./map-tab.tsx').then((found) => found.MapTab),
  },
  {
    key: 'syslog',
    title: 'settings.tab.syslog',
    group: 'connections',
    texts: 'settings.syslog.',
    call,
    load: () => import('./syslog-tab.tsx').then((found) => found.SyslogTab),
  },
  {
    key: 'sso',
    title: 'settings.tab.sso',
    group: 'signIn',
    texts: 'settings.sso.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.SsoTab),
  },
  {
    key: 'registration',
    title: 'register.setting',
    group: 'signIn',
    texts: 'register.setting',
    call,
    load: () => import('./sign-in-tabs.tsx').then((found) => found.RegistrationTab),
  },
  {
    key: 'real-name',
    title: 'authAudit.setting',
    group: 'signIn',
    texts: 'authAudit.setting',
    call,
    load: () => import('./sign-in-tabs.tsx').then((found) => found.UnauthenticatedTab),
  },
  {
    key: 'review',
    title: 'settings.tab.review',
    group: 'signIn',
    texts: 'settings.review.',
    call,
    load: () => import('./plain-tabs.tsx').then((found) => found.ReviewTab),
  },
  {
    key: 'dual-control',
    title: 'settings.tab.dualControl',
    group: 'signIn',
    texts: 'settings.dualControl.',
    call,
    load: () => import('./sign-in-tabs.tsx').then((found) => found.DualControlTab),
  },
  {
    key: 'changes',
    title: 'settings.tab.changes',
    group: 'signIn',
    texts: 'change.',
    call: changeRequestCalls.page,
    load: () => import('./changes-tab.tsx').then((found) => found.ChangesTab),
  },
  {
    key: 'storage',
    title: 'settings.tab.storage',
    group: 'general',
    texts: 'settings.storage.',
    call,
    load: () => import('./storage-tab.tsx').then((found) => found.StorageTab),
  },
];

const addressOfTab = (key: string, line: string | null) =>
  `/system/settings?${new URLSearchParams({ tab: key, ...(line ? { line } : {}) })}`;

/** The settings of the installation; other domains bring tabs of their own. */
export function settingsPage(others: readonly SettingsTab[]): Page {
  const tabs = [...own, ...others].map((tab) => ({
    ...tab,
    Body: lazy(async () => ({ default: (await tab.load()) as ComponentType })),
  }));
  const actions = tabs.map((tab) => ({
    key: tab.key,
    label: tab.title,
    icon: 'settings' as const,
    call: tab.call,
    to: addressOfTab(tab.key, null),
  }));
  return { ...bindPage(Settings, { tabs }), actions };
}

function Settings({ tabs }: { tabs: readonly (SettingsTab & { Body: ComponentType })[] }) {
  const t = useT();
  const view = useView();
  const now = useSession();
  const { texts } = useStore(speech);
  const shown = useMemo(() => tabs.filter((tab) => mayCall(tab.call, now)), [tabs, now]);
  const active = shown.find((tab) => tab.key === view.search.get('tab')) ?? shown[0];
  /** The product line goes along: whoever sets its policies goes from one to the other. */
  const line = view.search.get('line');
  const groups = useMemo(
    () =>
      settingsGroups.map((group) => ({
        title: t(`settings.group.${group}`),
        items: shown
          .filter((tab) => tab.group === group)
          .map((tab) => ({
            key: tab.key,
            label: t(tab.title),
            to: addressOfTab(tab.key, line),
            words: Object.keys(texts).flatMap((key) => (key.startsWith(tab.texts) ? [texts[key] ?? ''] : [])),
          })),
      })),
    [shown, texts, line, t],
  );
  if (!active) return <NoAccess />;
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('settings.title')} />
      <SideList label={t('settings.title')} groups={groups} active={active.key}>
        <h2 className="m-side-head">{t(active.title)}</h2>
        <Suspense key={active.key} fallback={<PageSkeleton />}>
          <OpenTab value={active.title}>
            <active.Body />
          </OpenTab>
        </Suspense>
      </SideList>
    </div>
  );
}
