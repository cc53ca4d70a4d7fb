import { logCalls } from '@mooring/contract/audit-log/calls';
import type { ChainReport } from '@mooring/contract/audit-log/proof';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

/** From when to when the log can be trusted, and which rows are bad. */
function Check({ of, at }: { of: ChainReport | null; at: string | null }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const moment = (value: string | Date | null) => (value === null ? '–' : format.moment(String(value), 'second'));
  const span = of && { rows: of.rows, from: moment(of.from), to: moment(of.bad.length === 0 ? of.to : of.trustedTo) };
  return (
    <section className="m-stack-tight">
      <h3>{t('log.proof.check')}</h3>
      {of && span ? (
        <>
          <p className="m-muted">{moment(at)}</p>
          <p>{of.bad.length === 0 ? t('log.proof.intact', span) : of.trustedTo ? t('log.proof.broken', span) : t('log.proof.none')}</p>
          {of.sealedFrom ? <p>{t('log.proof.sealed', { at: moment(of.sealedFrom) })}</p> : null}
          {of.bad.length === 0 ? null : (
            <table className="m-diff">
              <thead>
                <tr>
                  <th scope="col">{t('log.proof.place')}</th>
                  <th scope="col">{t('log.proof.finding')}</th>
                </tr>
              </thead>
              <tbody>
                {of.bad.map(({ kind, from, to }) => (
                  <tr key={`${kind}${from}`}>
                    <th scope="row">{from === to ? from : `${from}–${to}`}</th>
                    <td>{loose(`fault.CHAIN_${kind.toUpperCase()}`, kind)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {of.more > 0 ? <p>{t('log.proof.more', { count: of.more })}</p> : null}
        </>
      ) : (
        <p className="m-muted">{t('log.proof.never')}</p>
      )}
    </section>
  );
}

/** The daily signatures of the log, the key that checks them, and what the last verification found. */
export function ProofDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(logCalls.proof, {});
  const save = () => {
    if (!data) return;
    const heads = data.heads.map(({ signed, signature }) => ({ signed, signature })).reverse();
    const text = JSON.stringify({ product: 'mooring', keyId: data.keyId, publicKey: data.publicKey, heads }, null, 2);
    saveFile(new Blob([`${text}\n`], { type: 'application/json' }), 'audit-log-signatures.json');
  };
  return (
    <Drawer open title={t('log.proof')} onClose={onClose} width={640}>
      <div className="m-stack">
        <p>{t('log.proof.about')}</p>
        {error ? <CallFailed part error={error} onRetry={retry} /> : null}
        {!data && !error ? <Bone height={120} /> : null}
        {data ? (
          <>
            <Check of={data.check} at={data.checkedAt === null ? null : String(data.checkedAt)} />
            <span className="m-row">
              <span className="m-muted">{t('log.proof.key')}</span>
              <CopyText text={data.publicKey} short={27} />
            </span>
            <span>
              <Button look="primary" onClick={save}>
                {t('log.proof.download')}
              </Button>
            </span>
            <table className="m-diff">
              <thead>
                <tr>
                  <th scope="col">{t('log.proof.date')}</th>
                  <th scope="col">{t('log.seal')}</th>
                  <th scope="col">{t('log.proof.last')}</th>
                  <th scope="col">{t('log.proof.count')}</th>
                </tr>
              </thead>
              <tbody>
                {data.heads.slice(0, 100).map((head) => (
                  <tr key={head.number}>
                    <th scope="row">{format.moment(String(head.date), 'second')}</th>
                    <td>{head.sealNo}</td>
                    <td>{head.lastId}</td>
                    <td>{head.count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        ) : null}
      </div>
    </Drawer>
  );
}
