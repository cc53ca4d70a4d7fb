import type { OutputOf } from '@mooring/contract/kit/call';
import { MOST_BESIDE } from '@mooring/contract/signing/limits';
import { besideCalls } from '@mooring/contract/signing/verify-beside';
import { useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { base64Of } from '../../kit/seal.ts';
import { Note } from '../../ui/states.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { FileToSign } from './file-to-sign.tsx';
import { keyPath } from './keys.ts';

type Verdict = OutputOf<typeof besideCalls.verifyBeside>;
type Chain = Verdict['chain'];

/** The signer first, and whoever certifies the one before. */
function Certificates({ chain }: { chain: Chain }) {
  const format = useFormat();
  return (
    <ol>
      {chain.map((one) => (
        <li key={one.sha256}>
          {one.subject} · {one.algorithm} · {format.moment(one.notBefore)} – {format.moment(one.notAfter)}
          <div className="m-mono">{one.sha256}</div>
        </li>
      ))}
    </ol>
  );
}

function Stamp({ of }: { of: NonNullable<Verdict['stamp']> }) {
  const t = useT();
  const format = useFormat();
  if (!of.holds || !of.at) return t('verify.beside.stamp.wrong');
  return t(of.known ? 'verify.beside.stamp.known' : 'verify.beside.stamp.unknown', { at: format.moment(of.at), by: of.by });
}

/** What the bytes can't say of themselves: whether whoever signed is known, and when that was. */
function Doubts({ of }: { of: Verdict }) {
  const t = useT();
  const format = useFormat();
  const at = format.moment(of.judgedAt);
  const validity =
    of.validByClock && of.signedAt
      ? t('verify.beside.ownClock', { at, signed: format.moment(of.signedAt) })
      : t('verify.beside.invalid', { at });
  return (
    <>
      {of.key || of.profile ? null : <Note tone="warn">{t('verify.beside.unvouched')}</Note>}
      {of.key && of.key.state !== 'active' ? <Note tone="warn">{t(`verify.ours.${of.key.state}`)}</Note> : null}
      {of.valid ? null : <Note tone="warn">{validity}</Note>}
      {of.clock ? <Note tone="warn">{t(`verify.beside.clock.${of.clock}`)}</Note> : null}
    </>
  );
}

function Found({ found }: { found: Verdict }) {
  const t = useT();
  const { stamp, key, profile, chain, wrong } = found;
  const facts: Fact<Verdict>[] = [
    { key: 'fileName', title: 'signingJob.fileName' },
    { key: 'size', title: 'signingJob.size', kind: 'size' },
    { key: '_subject', title: 'verify.subject', cell: () => chain[0]?.subject ?? '' },
    { key: '_issuer', title: 'verify.issuer', cell: () => chain[0]?.issuer ?? '' },
    { key: 'signedAt', title: 'verify.beside.signedAt', kind: 'moment', when: (row) => row.signedAt !== null },
    ...(stamp ? [{ key: '_stamp', title: 'verify.beside.stamp', cell: () => <Stamp of={stamp} /> } as const] : []),
    { key: '_chain', title: 'verify.beside.chain', cell: () => <Certificates chain={chain} /> },
    { key: 'chainEnds', title: 'verify.beside.ends', kind: 'name', names: 'verify.beside.ends.' },
    ...(key ? [{ key: '_key', title: 'verify.ours', cell: () => <Link to={keyPath(key)}>{key.name}</Link> } as const] : []),
    ...(profile ? [{ key: '_profile', title: 'verify.beside.profile', cell: () => `${profile.name} · ${profile.deptName}` } as const] : []),
    { key: '_digest', title: 'verify.beside.digest', cell: () => found.digest.toUpperCase().replace('SHA', 'SHA-') },
    { key: 'sha256', title: 'signingJob.sha256Before', kind: 'code' },
  ];
  return (
    <div className="m-stack">
      <Note tone={wrong === null ? 'info' : 'danger'}>{t(wrong === null ? 'verify.beside.good' : `verify.beside.wrong.${wrong}`)}</Note>
      <Doubts of={found} />
      <Facts facts={facts.filter((one) => one.when?.(found) ?? true)} row={found} />
      <p className="m-muted">{t('verify.beside.unrevoked')}</p>
    </div>
  );
}

/** A file, and the signature beside it: neither is kept, and the latter isn't even uploaded before it is looked at. */
export function VerifyBeside() {
  const t = useT();
  const [fileId, setFileId] = useState<number>();
  const [chosen, setChosen] = useState<File>();
  const [signature, setSignature] = useState<string>();
  const isLarge = chosen !== undefined && chosen.size > MOST_BESIDE;
  const isWhole = fileId !== undefined && signature !== undefined;
  const found = useCall(besideCalls.verifyBeside, { fileId: fileId ?? 0, signature: signature ?? '' }, { enabled: isWhole });
  const take = async ([file]: File[]) => {
    setChosen(file);
    setSignature(file && file.size <= MOST_BESIDE ? base64Of(new Uint8Array(await file.arrayBuffer())) : undefined);
  };
  const rows = chosen
    ? [{ id: '1', name: chosen.name, size: chosen.size, state: 'success' as const, share: 1, done: t('verify.beside.chosen') }]
    : [];
  return (
    <div className="m-stack">
      <p className="m-muted">{t('verify.beside.about')}</p>
      <FileToSign
        documents
        value={fileId}
        onChange={setFileId}
        onBlur={() => {}}
        values={{}}
        set={() => {}}
        fill={() => {}}
        disabled={false}
      />
      <h3>{t('verify.beside.file')}</h3>
      <UploadBox
        rows={isLarge ? [] : rows}
        accept=".p7s,.p7,.cms,.pem,.sig"
        onFiles={(files) => void take(files.slice(-1))}
        onCancel={() => void take([])}
        onRetry={() => {}}
      />
      {isLarge ? <Note tone="danger">{t('verify.beside.large')}</Note> : null}
      {isWhole && found.error ? <Note tone="danger">{messageOf(found.error)}</Note> : null}
      {isWhole && found.data ? <Found found={found.data} /> : null}
    </div>
  );
}
