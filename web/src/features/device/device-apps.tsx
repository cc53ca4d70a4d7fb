import { softAppKind } from '@mooring/contract/app/app-kind';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { Link } from '../../kit/link.tsx';
import { mayCall, useSession } from '../../kit/session.ts';
import { Empty } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** From this terminal alone; whoever means more says so in the wizard. */
const removing = ({ packageName, name }: App, sn: string) =>
  `${newTaskScreen(softAppKind)}?${new URLSearchParams({ uninstall: packageName, name: name ?? packageName, sn })}`;

type App = DeviceDetail['apps'][number];

/** What was last released of an app, and whether that is what is there. */
function Released({ app: { release, differs } }: { app: App }) {
  const t = useT();
  if (!release) return <span className="m-muted">–</span>;
  const { taskId, versionName, versionCode } = release;
  const version = versionName ? `${versionName} (${versionCode})` : String(versionCode);
  return (
    <span className="m-stack-tight">
      <Link to={`${softAppKind.screens.task}/${taskId}`}>{versionCode === null ? t('device.apps.removed') : version}</Link>
      {differs ? <StatusTag tone="wait">{t('release.differs')}</StatusTag> : null}
    </span>
  );
}

/** Apps that the terminal says it has, and those that a release brought and it doesn't say any more. */
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
            { key: 'versionName', title: t('device.version'), width: 130, cell: (app) => app.versionName || '–' },
            { key: 'versionCode', title: t('device.apps.code'), width: 120, cell: (app) => app.versionCode ?? '–' },
            { key: 'since', title: t('device.apps.since'), width: 150, cell: (app) => (app.since ? format.ago(app.since) : '–') },
            { key: 'release', title: t('device.apps.release'), width: 220, cell: (app) => <Released app={app} /> },
            ...(mayRelease
              ? [
                  {
                    key: 'acts',
                    title: t('appRelease.action.uninstall'),
                    width: 120,
                    cell: (app: App) =>
                      app.system || !app.installed ? null : <Link to={removing(app, row.sn)}>{t('appRelease.action.uninstall')}</Link>,
                  },
                ]
              : []),
          ]}
        />
      )}
    </section>
  );
}
