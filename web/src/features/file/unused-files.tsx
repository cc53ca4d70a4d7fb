import { MOST_UNUSED, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { ExportMenu } from '../../kit/list/export-button.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import './file.css';

/** All columns of all of them. */
const whole = () => ({ criteria: {}, columns: ['deptName', 'kind', 'files', 'bytes', 'since'] });
type Row = OutputOf<typeof uploadMonitorCalls.unused>[number];

/** What a clean-up takes, before it does. */
function Named({ of }: { of: Row }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(uploadMonitorCalls.unusedFiles, { deptId: of.deptId, kind: of.kind });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={80} />;
  const left = of.files - data.length;
  return (
    <ScrollRegion label={t('upload.clean.files')} className="m-clean-files">
      <ul className="m-plain-list">
        {data.map(({ id, fileName, size }) => (
          <li key={id}>
            <bdi>{fileName}</bdi> <span className="m-muted m-small">{format.size(size)}</span>
          </li>
        ))}
      </ul>
      {left > 0 ? <p className="m-muted">{t('upload.clean.rest', { count: left })}</p> : null}
    </ScrollRegion>
  );
}

/** What nothing names any more, by organisation and kind. */
export function UnusedFiles() {
  const t = useT();
  const format = useFormat();
  const [asked, setAsked] = useState<Row>();
  const { data, error, retry } = useCall(uploadMonitorCalls.unused, {}, { every: 60 });
  const act = useAct(uploadMonitorCalls.clean, {
    successText: ({ files, bytes }) => ({ key: 'upload.clean.done', params: { count: files, size: format.size(bytes) } }),
    done: ({ more }) => {
      setAsked(undefined);
      if (more) toast('info', t('upload.clean.more'));
    },
  });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={160} />;
  const kindOf = ({ kind }: Row) => t(`upload.kind.${kind as '1'}`);
  return (
    <div className="m-stack">
      <div className="m-row">
        <p className="m-muted m-grow">
          {t('upload.unused.about')} {data.length === MOST_UNUSED ? t('upload.unused.most', { count: MOST_UNUSED }) : null}
        </p>
        {data.length === 0 ? null : <ExportMenu call={uploadMonitorCalls.unusedExport} of={whole} />}
      </div>
      {data.length === 0 ? (
        <Empty icon="file" title={t('upload.unused.empty')} />
      ) : (
        <Table
          label={t('upload.unused')}
          rows={data}
          idOf={(row) => `${row.deptId} ${row.kind}`}
          nameOf={(row) => `${row.deptName} · ${kindOf(row)}`}
          columns={[
            { key: 'deptName', title: t('upload.dept'), width: 240, cell: (row) => row.deptName },
            { key: 'kind', title: t('upload.fileType'), width: 180, cell: kindOf },
            { key: 'files', title: t('upload.count'), width: 110, end: true, cell: (row) => format.number(row.files) },
            { key: 'bytes', title: t('upload.size'), width: 130, end: true, cell: (row) => format.size(row.bytes) },
            { key: 'since', title: t('upload.unused.since'), width: 180, cell: (row) => format.moment(row.since) },
            {
              key: 'clean',
              title: t('upload.clean'),
              width: 140,
              cell: (row) =>
                allows(row, 'clean') ? (
                  <Button small icon="delete" of={`${row.deptName} · ${kindOf(row)}`} onClick={() => setAsked(row)}>
                    {t('upload.clean')}
                  </Button>
                ) : null,
            },
          ]}
        />
      )}
      <Confirm
        open={asked !== undefined}
        title={t('upload.clean.title')}
        confirm={t('upload.clean')}
        danger
        busy={act.busy}
        onConfirm={() => asked && act.run({ deptId: asked.deptId, kind: asked.kind })}
        onClose={() => setAsked(undefined)}
      >
        {asked
          ? t('upload.clean.text', { name: asked.deptName, kind: kindOf(asked), count: asked.files, size: format.size(asked.bytes) })
          : null}
        {asked ? <Named of={asked} /> : null}
      </Confirm>
    </div>
  );
}
