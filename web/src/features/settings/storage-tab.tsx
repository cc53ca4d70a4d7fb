import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Stat } from '../../ui/figures.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { SettingForm } from './setting-form.tsx';

function Storage() {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { data, error, retry } = useCall(systemSettingCalls.storage, {});
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <PageSkeleton />;
  return (
    <section className="m-panel m-panel-body m-stack">
      <h2>{t('settings.storage.title')}</h2>
      <p className="m-muted">
        {loose(`settings.storage.source.${data.source}`, data.source)} · <span className="m-mono">{data.place}</span>
      </p>
      <div className="m-stats">
        <Stat label={t('settings.storage.files')} value={format.number(data.files)} />
        <Stat label={t('settings.storage.bytes')} value={format.size(data.bytes)} />
        <Stat label={t('settings.storage.databaseBytes')} value={format.size(data.databaseBytes)} />
        {data.freeBytes === null ? null : <Stat label={t('settings.storage.freeBytes')} value={format.size(data.freeBytes)} />}
      </div>
    </section>
  );
}

export function StorageTab() {
  return (
    <div className="m-stack">
      <Storage />
      <SettingForm
        type="retention"
        call={systemSettingCalls.retention}
        sections={[
          {
            title: 'settings.retention.title',
            fields: [
              { name: 'changesMonths', label: 'settings.retention.changesMonths', kind: 'number', unit: 'kit.unit.months' },
              { name: 'eventsMonths', label: 'settings.retention.eventsMonths', kind: 'number', unit: 'kit.unit.months' },
              { name: 'alarmsMonths', label: 'settings.retention.alarmsMonths', kind: 'number', unit: 'kit.unit.months' },
              { name: 'auditMonths', label: 'settings.retention.auditMonths', kind: 'number', unit: 'kit.unit.months' },
              { name: 'healthDays', label: 'settings.retention.healthDays', kind: 'number', unit: 'kit.unit.days' },
              { name: 'trackDays', label: 'settings.retention.trackDays', kind: 'number', unit: 'kit.unit.days' },
              { name: 'logDays', label: 'settings.retention.logDays', kind: 'number', unit: 'kit.unit.days' },
              { name: 'exportDays', label: 'settings.retention.exportDays', kind: 'number', unit: 'kit.unit.days' },
            ],
          },
        ]}
      />
    </div>
  );
}
