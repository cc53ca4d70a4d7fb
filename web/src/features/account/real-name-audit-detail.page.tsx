import { authAuditCalls } from '@mooring/contract/account/real-name-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { allowedActionsOf } from '../../kit/allows.ts';
import { api, messageOf } from '../../kit/client.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { RealNameFacts } from './real-name-facts.tsx';
import { OutcomeTag } from './real-name-outcome.tsx';
import { RefuseDialog } from './real-name-refuse.tsx';

type Row = OutputOf<typeof authAuditCalls.detail>;
type Which = Row['pictures'][number]['which'];

/** A picture is fetched when somebody looks, since each look is logged. */
function Look({ row, which }: { row: Row; which: Which }) {
  const t = useT();
  const [image, setImage] = useState<string>();
  const [busy, setBusy] = useState(false);
  const look = async () => {
    setBusy(true);
    try {
      setImage((await api(authAuditCalls.picture, { id: row.id, which }, { hidden: true })).image);
    } catch (error) {
      toast('error', messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <figure className="m-stack-tight">
      <figcaption className="m-small m-muted">{t(`realName.${which}`)}</figcaption>
      {image ? (
        <img className="m-document" src={image} alt={t('realName.picture.alt', { which: t(`realName.${which}`) })} />
      ) : (
        <span>
          <Button of={t(`realName.${which}`)} busy={busy} onClick={() => void look()}>
            {t('realName.picture.view')}
          </Button>
        </span>
      )}
    </figure>
  );
}

function Documents({ row }: { row: Row }) {
  const t = useT();
  const [number, setNumber] = useState<string>();
  const show = async () => {
    try {
      setNumber((await api(authAuditCalls.number, { id: row.id }, { hidden: true })).number);
    } catch (error) {
      toast('error', messageOf(error));
    }
  };
  return (
    <>
      <section className="m-panel m-panel-body m-stack" aria-label={t('realName.request')}>
        <RealNameFacts of={{ ...row, number: number ?? row.number }} reasons={row.reasons} />
        {number ? null : (
          <span>
            <Button small onClick={() => void show()}>
              {t('realName.number.show')}
            </Button>
          </span>
        )}
      </section>
      <section className="m-panel m-panel-body m-stack" aria-label={t('authAudit.pictures')}>
        <h2>{t('authAudit.pictures')}</h2>
        <Note tone="plain">{t(row.pictures.length > 0 ? 'authAudit.logged' : 'authAudit.picturesGone')}</Note>
        <div className="m-documents">
          {row.pictures.map((picture) => (
            <Look key={picture.id} row={row} which={picture.which} />
          ))}
        </div>
      </section>
      {row.checked && row.outcome === 'waiting' ? (
        <section className="m-panel m-panel-body m-stack" aria-label={t('authAudit.before')}>
          <h2>{t('authAudit.before')}</h2>
          <RealNameFacts of={row.checked} />
        </section>
      ) : null}
    </>
  );
}

function Decide({ row }: { row: Row }) {
  const t = useT();
  const [asking, setAsking] = useState<'approve' | 'refuse'>();
  const approve = useAct(authAuditCalls.approve, { successText: 'authAudit.approved', done: () => setAsking(undefined) });
  if (allowedActionsOf(row).length === 0) return null;
  return (
    <>
      <Button onClick={() => setAsking('refuse')}>{t('authAudit.refuse')}</Button>
      <Button look="primary" onClick={() => setAsking('approve')}>
        {t('authAudit.approve')}
      </Button>
      {asking === 'refuse' ? <RefuseDialog row={row} onClose={() => setAsking(undefined)} /> : null}
      <Confirm
        open={asking === 'approve'}
        title={t('kit.act.sure', { act: t('authAudit.approve'), name: row.name })}
        confirm={t('authAudit.approve')}
        busy={approve.busy}
        onClose={() => setAsking(undefined)}
        onConfirm={() => approve.run({ id: row.id })}
      >
        {t('authAudit.approve.text')}
      </Confirm>
    </>
  );
}

export const realNameAuditDetail = detailPage({
  call: authAuditCalls.detail,
  nameOf: (row) => row.name,
  note: (row) => OutcomeTag(row),
  facts: [
    { key: 'kind', title: 'authAudit.kind', kind: 'name', names: 'realName.kind.' },
    { key: 'account', title: 'authAudit.account' },
    { key: 'deptName', title: 'authAudit.dept' },
    { key: 'createdAt', title: 'authAudit.at', kind: 'moment' },
    { key: 'decidedBy', title: 'authAudit.decidedBy', when: (row) => row.decidedBy !== null },
  ],
  slots: { acts: Decide },
  tabs: [{ key: 'documents', title: 'realName.request', Body: Documents }],
});
