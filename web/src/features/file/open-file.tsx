import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

function Uses({ uses, others }: OutputOf<typeof uploadMonitorCalls.uses>) {
  const t = useT();
  if (uses.length + others === 0) return <p className="m-muted">{t('upload.uses.none')}</p>;
  return (
    <>
      {uses.length === 0 ? null : (
        <ul className="m-plain-list m-stack-tight">
          {uses.map(({ what, name, link }) => (
            <li key={`${what} ${link} ${name}`}>
              <span className="m-muted">{t(`upload.use.${what}`)}</span> · {link === null ? name : <Link to={link}>{name}</Link>}
            </li>
          ))}
        </ul>
      )}
      {others === 0 ? null : <p className="m-muted">{t('upload.uses.others', { count: others })}</p>}
    </>
  );
}

/** A stored file, with what keeps it. */
export function OpenFile({ row, onClose }: { row: RowOf<typeof uploadMonitorCalls.files>; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(uploadMonitorCalls.uses, { id: row.id });
  return (
    <Drawer open title={row.fileName} onClose={onClose} width={480}>
      <div className="m-stack">
        <FactList
          facts={[
            [t('upload.fileType'), t(`upload.kind.${row.fileType as '1'}`)],
            [t('upload.size'), format.size(row.size)],
            [t('upload.user'), row.userName ?? ''],
            [t('upload.dept'), row.deptName ?? ''],
            [t('upload.storedAt'), format.moment(String(row.createdAt))],
          ]}
        />
        <section className="m-stack-tight">
          <h3>{t('upload.uses')}</h3>
          {error ? <CallFailed part error={error} onRetry={retry} /> : data ? <Uses {...data} /> : <Bone height={60} />}
        </section>
      </div>
    </Drawer>
  );
}
