import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { keepTargets } from '../../engines/rollout/targets.ts';
import { api, messageOf } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { goOn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { TemplateRow } from './template-actions.ts';

/** As many as one release takes. */
const MOST = 20_000;
const SECONDS = 10;

/** Terminals that have another result than they would get today, and a release to them. */
export function TemplateBehind({ row }: { row: TemplateRow }) {
  const t = useT();
  const format = useFormat();
  const view = useView();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const behind = useCall(paramResultCalls.behind, { templateId: row.id }, { every: SECONDS });
  if (behind.error && !behind.data) return <CallFailed part error={behind.error} onRetry={behind.retry} />;
  if (!behind.data) return <Bone height={80} />;
  const { count, capped, counting, terminals } = behind.data;
  const release = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const all = await api(paramResultCalls.behind, { templateId: row.id, most: MOST }, { hidden: true });
      const targets = keepTargets(all.terminals.map(({ sn }) => sn));
      goOn(view, `${newTaskScreen(androidParamKind)}?template=${row.id}&mode=own&targets=${targets}`);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <section className="m-stack-tight">
      <div className="m-row m-row-wrap">
        <b>{count === 0 ? t('paramBehind.none') : t('paramBehind.count', { total: format.total(count, capped) })}</b>
        {counting ? <span className="m-muted">{t('paramBehind.counting')}</span> : null}
        {count > 0 && mayCall(androidTaskCalls.add) ? (
          <Button icon="send" busy={busy} onClick={() => void release()}>
            {t('paramBehind.release', { count: Math.min(count, MOST) })}
          </Button>
        ) : null}
      </div>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      {count === 0 ? null : (
        <Table
          label={t('paramBehind.title')}
          rows={terminals}
          idOf={(one) => one.id}
          nameOf={(one) => one.sn}
          columns={[
            {
              key: 'sn',
              title: t('device.sn'),
              width: 200,
              cell: (one) => <Link to={`/device/deviceDetail/${one.id}?tab=params`}>{one.sn}</Link>,
            },
            { key: 'name', title: t('device.name'), width: 240, cell: (one) => one.name },
            { key: 'dept', title: t('device.dept'), width: 240, cell: (one) => one.deptName },
          ]}
        />
      )}
      {count > terminals.length ? <p className="m-muted">{t('paramBehind.first', { shown: terminals.length })}</p> : null}
    </section>
  );
}
