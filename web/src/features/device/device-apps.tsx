import { softAppKind } from '@mooring/contract/app/app-kind';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { Link } from '../../kit/link.tsx';
import { mayCall, useSession } from '../../kit/session.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** From this terminal alone; whoever means more says so in the wizard. */
const removing = ({ packageName, name }: DeviceDetail['apps'][number], sn: string) =>
  `${newTaskScreen(softAppKind)}?${new URLSearchParams({ uninstall: packageName, name: name ?? packageName, sn })}`;

/** Apps that the terminal says it has. */
export function DeviceApps({ row }: { row: DeviceDetail }) {
  const t = useT();
  const format = useFormat();
  const mayRelease = mayCall(softAppTaskCalls.add, useSession());
  return (
    <section className="m-stack-tight">
      <h2>{t('device.apps')}</h2>
      {row.apps.length === 0 ? (
        <Empty title={t('device.apps.none')} icon="app" />
      ) : (
        <Table
          label={t('device.apps')}
          rows={row.apps}
          idOf={(app) => app.packageName}
          nameOf={(app) => app.name ?? app.packageName}
          columns={[
            { key: 'name', title: t('device.name'), width: 200, cell: (app) => app.name ?? app.packageName },
            {
              key: 'packageName',
              title: t('device.apps.package'),
              width: 260,
              cell: (app) => <span className="m-mono">{app.packageName}</span>,
            },
            { key: 'versionName', title: t('device.version'), width: 130, cell: (app) => app.versionName },
            { key: 'versionCode', title: t('device.apps.code'), width: 120, cell: (app) => app.versionCode ?? '–' },
            { key: 'since', title: t('device.apps.since'), width: 150, cell: (app) => format.ago(app.since) },
            ...(mayRelease
              ? [
                  {
                    key: 'acts',
                    title: t('appRelease.action.uninstall'),
                    width: 120,
                    cell: (app: DeviceDetail['apps'][number]) =>
                      app.system ? null : <Link to={removing(app, row.sn)}>{t('appRelease.action.uninstall')}</Link>,
                  },
                ]
              : []),
          ]}
        />
      )}
    </section>
  );
}
