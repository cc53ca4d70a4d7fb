import type { OutputOf } from '@mooring/contract/kit/call';
import { verifyCalls } from '@mooring/contract/signing/job';
import { useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { RadioGroup } from '../../ui/controls.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { FileToSign } from './file-to-sign.tsx';
import { keyPath } from './keys.ts';
import { VerifyBeside } from './verify-beside.tsx';

type Verdict = OutputOf<typeof verifyCalls.verify>;

function Validity({ of }: { of: NonNullable<Verdict['signature']['certificate']> }) {
  const format = useFormat();
  return `${format.moment(of.notBefore)} – ${format.moment(of.notAfter)}`;
}

/** What was found, and whether it holds. */
function Found({ found }: { found: Verdict }) {
  const t = useT();
  const { signature, info, key } = found;
  const { certificate } = signature;
  const facts: Fact<Verdict>[] = [
    { key: 'fileName', title: 'signingJob.fileName' },
    { key: 'size', title: 'signingJob.size', kind: 'size' },
    ...(info
      ? [
          { key: '_package', title: 'verify.package', cell: () => <span className="m-mono">{info.packageName}</span> } as const,
          { key: '_version', title: 'verify.version', cell: () => `${info.versionName} (${info.versionCode})` } as const,
        ]
      : []),
    { key: '_schemes', title: 'verify.schemes', cell: () => signature.schemes.join(', ') || '—' },
    { key: '_signers', title: 'verify.signers', cell: () => signature.signers },
    ...(certificate
      ? [
          { key: '_subject', title: 'verify.subject', cell: () => certificate.subject } as const,
          { key: '_issuer', title: 'verify.issuer', cell: () => certificate.issuer } as const,
          { key: '_validity', title: 'verify.validity', cell: () => <Validity of={certificate} /> } as const,
          {
            key: '_algorithm',
            title: 'verify.algorithm',
            cell: () => `${certificate.keyAlgorithm.toUpperCase()} ${certificate.keyBits}`,
          } as const,
          { key: '_certificate', title: 'verify.certificate', cell: () => <span className="m-mono">{certificate.sha256}</span> } as const,
        ]
      : []),
    ...(key ? [{ key: '_key', title: 'verify.ours', cell: () => <Link to={keyPath(key)}>{key.name}</Link> } as const] : []),
    ...(signature.lineage.length > 1
      ? [
          {
            key: '_lineage',
            title: 'verify.lineage',
            cell: () => <span className="m-mono">{signature.lineage.slice(0, -1).join(' ')}</span>,
          } as const,
        ]
      : []),
    ...(signature.validFrom !== null && info
      ? [
          {
            key: '_from',
            title: 'verify.validFrom',
            cell: () => t('verify.validFrom.text', { level: signature.validFrom ?? 0 }),
          } as const,
        ]
      : []),
    { key: 'sha256', title: 'signingJob.sha256Before', kind: 'code' },
  ];
  return (
    <div className="m-stack">
      {signature.wrong === null ? (
        <Note tone="info">{t('verify.good')}</Note>
      ) : (
        <Note tone="danger">
          {t('verify.bad')}: {t(`app.signature.${signature.wrong}`)}
        </Note>
      )}
      {signature.publicTestKey ? <Note tone="warn">{t('verify.testKey')}</Note> : null}
      {key && key.state !== 'active' ? <Note tone="warn">{t(`verify.ours.${key.state}`)}</Note> : null}
      {info?.debuggable ? <Note tone="warn">{t('verify.debuggable')}</Note> : null}
      <Facts facts={facts} row={found} />
    </div>
  );
}

const places = ['inside', 'beside'] as const;
type Place = (typeof places)[number];

/** Who signed a file: it is looked at, and nothing of it kept. */
export function Verify() {
  const t = useT();
  const [place, setPlace] = useState<Place>('inside');
  return (
    <div className="m-stack">
      <RadioGroup<Place>
        value={place}
        label={t('verify.where')}
        onChange={setPlace}
        options={places.map((value) => ({ value, label: t(`verify.where.${value}`) }))}
      />
      {place === 'inside' ? <VerifyInside /> : <VerifyBeside />}
    </div>
  );
}

function VerifyInside() {
  const t = useT();
  const [fileId, setFileId] = useState<number>();
  const found = useCall(verifyCalls.verify, { fileId: fileId ?? 0 }, { enabled: fileId !== undefined });
  return (
    <div className="m-stack">
      <p className="m-muted">{t('verify.about')}</p>
      <FileToSign
        documents={false}
        value={fileId}
        onChange={setFileId}
        onBlur={() => {}}
        values={{}}
        set={() => {}}
        fill={() => {}}
        disabled={false}
      />
      {fileId !== undefined && found.error ? <Note tone="danger">{messageOf(found.error)}</Note> : null}
      {fileId !== undefined && found.data ? <Found found={found.data} /> : null}
    </div>
  );
}
